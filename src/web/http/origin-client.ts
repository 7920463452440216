/** A connection to one origin at one address, opened when it is needed and kept open while the server likes. */
import { Client } from 'undici';
import { type Connector, type Endpoint, endpointOf } from './connector.js';
import type { ExchangeClient, HttpExchange } from './http-exchange.js';
import { SocketInput } from './socket-input.js';
import { StatusLine } from './status-line.js';

/** A crawl comes back to a host after its delay: connections are kept a little longer than most delays last. */
const KEEP_ALIVE = 15_000;
const LARGEST_HEAD = 64 * 1024;

export class OriginClient implements ExchangeClient {
  served = 0;
  /** Exchanges under way. */
  busy = 0;
  readonly statusLine = new StatusLine();
  input = new SocketInput();
  readonly #client: Client;
  readonly #connector: Connector;
  readonly #endpoint: Endpoint;
  readonly #headers: string[];
  /** Lets the next connection skip a part of the TLS handshake. */
  #session: Buffer | undefined;
  #giveUp: () => void = () => {};

  /** `origin` is scheme, host and port as in a canonical URL. */
  constructor(origin: string, address: string, connector: Connector, headers: readonly string[]) {
    this.#connector = connector;
    this.#endpoint = endpointOf(new URL(origin), address);
    this.#headers = [...headers, ...Object.entries(connector.forwardHeaders(this.#endpoint.isTls)).flat()];
    // The fetcher watches over time itself, for all of its requests at once.
    this.#client = new Client(origin, {
      connect: (_options, callback) => this.#connect(callback as (...result: unknown[]) => void),
      pipelining: 1,
      keepAliveTimeout: KEEP_ALIVE,
      maxHeaderSize: LARGEST_HEAD,
      headersTimeout: 0,
      bodyTimeout: 0,
    });
  }

  send(exchange: HttpExchange): void {
    this.busy++;
    exchange.begin(this);
    this.#client.dispatch({ path: exchange.wanted.path, method: 'GET', headers: this.#headers }, exchange);
  }

  /** Ends the connection and what goes over it. */
  destroy(): void {
    this.#client.destroy(null, () => {});
    this.#giveUp();
  }

  #connect(done: (...result: unknown[]) => void): void {
    this.served = 0;
    this.input = new SocketInput();
    this.#giveUp = this.#connector.connect(this.#endpoint, this.#session, this.input, (error, socket) => {
      if (socket !== null && this.#endpoint.isTls) {
        socket.on('session', (session: Buffer) => {
          this.#session = session;
        });
      }
      if (socket !== null) this.statusLine.watch(socket);
      if (error !== null) done(error, null);
      else done(null, socket);
    });
  }
}
