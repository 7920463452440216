/**
 * Fetches pages of the live Web with undici: a connection an origin, kept open, the least recently used closed first.
 * One timer watches over all requests.
 */
import type { FetchCallback, Fetcher } from '../../model/web.js';
import { AcceptedTypes } from './accepted-types.js';
import { isBadPort, namedPort } from './bad-ports.js';
import { BodyMemory } from './body-memory.js';
import { Connector } from './connector.js';
import { ACCEPT_ENCODING, ContentDecoder } from './content-coding.js';
import { type ExchangeOwner, HttpExchange } from './http-exchange.js';
import { HTTP_DEFAULTS, type HttpFetcherOptions, type HttpWebOptions } from './http-options.js';
import { OriginClient } from './origin-client.js';
import { isPublicHost } from './proxied-names.js';

const SCHEME = 'https://'.length;

export class HttpFetcher implements Fetcher, ExchangeOwner {
  now = 0;
  readonly memory: BodyMemory;
  readonly requestHeaders: readonly string[];
  readonly #options: HttpFetcherOptions;
  readonly #types: AcceptedTypes;
  readonly #decoder: ContentDecoder;
  readonly #connector: Connector;
  /** By address and origin, the least recently used first. */
  readonly #clients = new Map<string, OriginClient>();
  readonly #underWay = new Map<HttpExchange, OriginClient>();
  #ended: HttpExchange[] = [];
  readonly #tick: number;
  #lastTick = 0;
  #timer: NodeJS.Timeout | null = null;
  #isClosed = false;

  constructor(options: HttpWebOptions) {
    const all = { ...HTTP_DEFAULTS, ...options };
    this.#options = { ...all, connectTimeout: Math.min(all.connectTimeout, all.timeout) };
    this.memory = new BodyMemory(all.bodyMemory);
    this.#decoder = new ContentDecoder();
    this.#types = new AcceptedTypes(all.acceptedTypes);
    this.#connector = new Connector(this.#options);
    this.requestHeaders = [
      'user-agent',
      all.userAgent,
      'accept',
      this.#types.header,
      'accept-encoding',
      ACCEPT_ENCODING,
    ];
    const shortest = Math.min(all.timeout, all.headersTimeout, all.bodyTimeout);
    this.#tick = Math.max(5, Math.min(500, Math.floor(shortest / 10)));
  }

  fetch(
    url: Uint8Array,
    start: number,
    end: number,
    address: string,
    done: FetchCallback,
    takesAnyType = false,
    leastBody = 0,
  ): void {
    if (this.#isClosed) return;
    this.#startTimer();
    const text = Buffer.from(url.buffer, url.byteOffset + start, end - start).toString('latin1');
    const pathStart = text.indexOf('/', SCHEME);
    const isForwarded = this.#connector.isProxied && !text.startsWith('https:');
    const path = isForwarded ? text : text.slice(pathStart);
    const bound = Math.max(this.#options.maxBody, leastBody);
    const exchange = new HttpExchange(this, { path, takesAnyType, bound, done });
    const origin = text.slice(0, pathStart);
    const isBad = isBadPort(namedPort(url, start, start + pathStart));
    const refusal = isBad ? 'BAD_PORT' : this.#refusal(origin, address);
    if (refusal === '') this.#send(exchange, origin, address);
    else exchange.stop(refusal);
  }

  /** Why nothing is sent to an origin; '' if it is. */
  #refusal(origin: string, address: string): string {
    if (!this.#connector.isProxied) {
      // Without an address something would have to look the name up again, and could be told another one.
      return address === '' ? 'NO_ADDRESS' : '';
    }
    return this.#options.allowPrivate || isPublicHost(hostOf(origin)) ? '' : 'PRIVATE_ADDRESS';
  }

  close(): void {
    this.#isClosed = true;
    if (this.#timer !== null) clearInterval(this.#timer);
    for (const exchange of [...this.#underWay.keys(), ...this.#ended]) exchange.drop();
    for (const client of this.#clients.values()) client.destroy();
    this.#underWay.clear();
    this.#clients.clear();
    this.#ended = [];
  }

  isWantedType(contentType: string): boolean {
    return this.#types.includes(contentType);
  }

  ended(exchange: HttpExchange): void {
    if (this.#ended.push(exchange) === 1) queueMicrotask(this.#deliverAll);
  }

  #send(exchange: HttpExchange, origin: string, address: string): void {
    const key = `${address} ${origin}`;
    let client = this.#clients.get(key);
    if (client !== undefined) this.#clients.delete(key);
    else {
      this.#evict();
      try {
        client = new OriginClient(origin, address, this.#connector, this.requestHeaders);
      } catch {
        exchange.stop('BAD_URL');
        return;
      }
    }
    this.#clients.set(key, client);
    this.#underWay.set(exchange, client);
    client.send(exchange);
  }

  /** Makes room for one more connection: those idle for longest are closed. */
  #evict(): void {
    for (const [key, client] of this.#clients) {
      if (this.#clients.size < this.#options.maxConnections) return;
      if (client.busy > 0) continue;
      this.#clients.delete(key);
      client.destroy();
    }
  }

  readonly #deliverAll = (): void => {
    const ended = this.#ended;
    this.#ended = [];
    for (const exchange of ended) {
      if (this.#isClosed) return;
      const client = this.#underWay.get(exchange);
      this.#underWay.delete(exchange);
      if (client !== undefined) client.busy--;
      if (exchange.mustRepeat && client !== undefined) this.#repeat(exchange, client);
      else if (exchange.failure !== '') this.#deliver(exchange);
      else this.#decode(exchange);
    }
  };

  #repeat(exchange: HttpExchange, client: OriginClient): void {
    const again = new HttpExchange(this, exchange.wanted, true);
    this.#underWay.set(again, client);
    client.send(again);
  }

  #decode(exchange: HttpExchange): void {
    const { received, codings, isTruncated, wanted } = exchange;
    this.#decoder.decode(codings, received, isTruncated, wanted.bound, (body, length, outcome) => {
      if (this.#isClosed) return;
      if (outcome === 'bad') exchange.fail('BAD_ENCODING');
      exchange.isTruncated = outcome === 'truncated';
      exchange.body = body;
      exchange.bodyLength = length;
      this.#deliver(exchange);
    });
  }

  #deliver(exchange: HttpExchange): void {
    exchange.wanted.done(exchange);
    exchange.received.release();
  }

  #startTimer(): void {
    if (this.#timer !== null) return;
    this.#lastTick = performance.now();
    this.#timer = setInterval(this.#watch, this.#tick);
  }

  /**
   * Time is told in steps, so a limit is over only a step later. While this thread was busy with other things it did
   * not listen: what passed meanwhile is not counted against the servers.
   */
  readonly #watch = (): void => {
    const tick = performance.now();
    this.now += Math.min(tick - this.#lastTick, 2 * this.#tick);
    this.#lastTick = tick;
    if (this.#underWay.size === 0) {
      clearInterval(this.#timer!);
      this.#timer = null;
    }
    const { timeout, headersTimeout, bodyTimeout } = this.#options;
    const now = this.now - this.#tick;
    for (const [exchange, client] of this.#underWay) {
      if (exchange.isPaused) continue;
      const silence = now - exchange.progress;
      let failure = '';
      if (now - exchange.started > timeout) failure = 'TIMEOUT';
      else if (exchange.phase === 'sent' && silence > headersTimeout) failure = 'HEADERS_TIMEOUT';
      else if (exchange.phase === 'body' && silence > bodyTimeout) failure = 'BODY_TIMEOUT';
      if (failure !== '' && exchange.phase !== 'ended' && !exchange.stop(failure)) this.#forget(client);
    }
  };

  #forget(client: OriginClient): void {
    for (const [key, other] of this.#clients) if (other === client) this.#clients.delete(key);
    client.destroy();
  }
}

/** The host of a canonical origin. */
function hostOf(origin: string): string {
  return origin.slice(origin.indexOf('//') + 2).replace(/:\d+$/, '');
}
