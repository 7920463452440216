/** Many hosts on a few loopback addresses and two ports, with a log of when each request began and ended. */
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { TestContext } from 'node:test';

export interface ServedRequest {
  /** Without port: what must not be asked twice at once. */
  readonly host: string;
  readonly url: string;
  readonly address: string;
  readonly started: number;
  /** Set before the last byte is sent, so the crawler can't know of it earlier. */
  ended: number;
}

export interface CrowdServer {
  readonly ports: readonly number[];
  readonly requests: readonly ServedRequest[];
}

/** Answers a request after `wait` ms; null is not found. */
export type Respond = (host: string, port: number, path: string) => { body: string; wait: number } | null;

export async function crowdServer(
  t: TestContext,
  addresses: readonly string[],
  respond: Respond,
): Promise<CrowdServer> {
  const requests: ServedRequest[] = [];
  const listen = (address: string, port: number): Promise<number> => {
    const server: Server = createServer((request, response) => {
      const [host, hostPort] = request.headers.host!.split(':');
      const entry = { host: host!, url: request.url!, address, started: performance.now(), ended: 0 };
      requests.push(entry);
      const page = respond(host!, Number(hostPort), request.url!);
      const answer = (): void => {
        entry.ended = performance.now();
        response.writeHead(page === null ? 404 : 200, { 'content-type': 'text/html' });
        response.end(page?.body ?? 'not here');
      };
      if (page === null || page.wait === 0) answer();
      else setTimeout(answer, page.wait);
    });
    t.after(() => {
      server.closeAllConnections();
      server.close();
    });
    return new Promise((resolve) =>
      server.listen(port, address, () => resolve((server.address() as AddressInfo).port)),
    );
  };
  const ports: number[] = [];
  for (let i = 0; i < 2; i++) {
    ports.push(await listen(addresses[0]!, 0));
    for (const address of addresses.slice(1)) await listen(address, ports[i]!);
  }
  return { ports, requests };
}
