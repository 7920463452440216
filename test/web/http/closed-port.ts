/** A port of loopback that nothing listens on: the system gave it a moment ago, and does not give it again soon. */
import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';

export async function closedPort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}
