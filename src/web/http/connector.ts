/**
 * Opens connections: to the vetted address and to no other, so that no name is looked up a second time. TLS names the
 * host of the URL and checks the certificate against it. With a proxy the connection goes there, and the proxy
 * finds the host.
 */
import { request as httpRequest } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { isIP, connect as netConnect, type Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { createSecureContext, type SecureContext, connect as tlsConnect } from 'node:tls';
import { UsageError } from '../../model/errors.js';
import { connectFailure, FetchError } from './failure.js';
import type { ConnectorOptions } from './http-options.js';
import type { SocketInput } from './socket-input.js';

export type ConnectCallback = (error: Error | null, socket: Socket | null) => void;

/** Where a connection goes. */
export interface Endpoint {
  readonly isTls: boolean;
  /** Of the URL, without brackets and trailing dot. */
  readonly host: string;
  readonly port: number;
  /** The vetted IP address; '' for a proxy, which is the operator's own choice, and for what lies behind one. */
  readonly address: string;
}

export function endpointOf({ protocol, hostname, port }: URL, address: string): Endpoint {
  const isTls = protocol === 'https:';
  const host = hostname.replace(/^\[|\]$|\.$/g, '');
  return { isTls, host, port: Number(port) || (isTls ? 443 : 80), address };
}

export class Connector {
  readonly isProxied: boolean;
  readonly #options: ConnectorOptions;
  readonly #proxy: URL | null;
  readonly #proxyHeaders: Record<string, string> = {};
  #secureContext: SecureContext | undefined;

  constructor(options: ConnectorOptions) {
    this.#options = options;
    this.#proxy = options.proxy ? readProxy(options.proxy) : null;
    this.isProxied = this.#proxy !== null;
    if (this.#proxy?.username) this.#proxyHeaders['proxy-authorization'] = basicAuthorization(this.#proxy);
  }

  /** Headers for requests that a proxy forwards: those over TLS pass it unseen. */
  forwardHeaders(isTls: boolean): Record<string, string> {
    return isTls ? {} : this.#proxyHeaders;
  }

  /** Calls back once; the function returned gives up what is under way. */
  connect(
    endpoint: Endpoint,
    session: Buffer | undefined,
    input: SocketInput,
    done: ConnectCallback,
  ): () => void {
    let socket: Duplex | null = null;
    let isOver = false;
    const settle = (error: NodeJS.ErrnoException | null): void => {
      if (isOver) return;
      isOver = true;
      clearTimeout(timer);
      if (error !== null) socket?.destroy();
      if (error === null) done(null, socket as Socket);
      else done(connectFailure(error), null);
    };
    const timer = setTimeout(() => {
      settle(new FetchError('CONNECT_TIMEOUT', `no connection to ${endpoint.host}`));
    }, this.#options.connectTimeout);
    /** Errors are heard as long as the socket lives: they may come late, and unheard ones end the process. */
    const follow = (opened: Duplex, ready: string): void => {
      socket = opened;
      opened.on('error', settle).once(ready, () => settle(null));
      opened.once('close', () => settle(new FetchError('CONNECT', `${endpoint.host} closed the connection`)));
      if (isOver) opened.destroy();
    };
    const direct = (opened: Socket): Socket => {
      input.attach(opened);
      return opened;
    };
    if (this.#proxy === null) {
      if (endpoint.isTls) follow(direct(this.#openTls(endpoint, session, input)), 'secureConnect');
      else follow(direct(openTcp(endpoint.address, endpoint.port, input)), 'connect');
    } else if (endpoint.isTls) {
      socket = this.#openTunnel(this.#proxy, endpoint, settle, (tunnel) => {
        follow(this.#openTls(endpoint, session, input, tunnel), 'secureConnect');
      });
    } else {
      const proxy = endpointOf(this.#proxy, '');
      if (proxy.isTls) follow(direct(this.#openTls(proxy, undefined, input)), 'secureConnect');
      else follow(direct(openTcp(proxy.host, proxy.port, input)), 'connect');
    }
    return () => settle(new FetchError('CONNECT', 'given up'));
  }

  #openTls(
    endpoint: Endpoint,
    session: Buffer | undefined,
    { onRead }: SocketInput,
    through?: Duplex,
  ): Socket {
    const { host, port, address } = endpoint;
    // One for all connections: making it takes a good part of a handshake's time.
    this.#secureContext ??= createSecureContext(
      this.#options.ca === undefined ? {} : { ca: this.#options.ca },
    );
    return tlsConnect({
      host: address === '' ? host : address,
      port,
      // An address is never sent as server name; the certificate is then checked against the address.
      ...(isIP(host) === 0 ? { servername: host } : {}),
      ...(session === undefined ? {} : { session }),
      ...(through === undefined ? { onread: onRead } : { socket: through }),
      secureContext: this.#secureContext,
      rejectUnauthorized: !this.#options.insecure,
      ALPNProtocols: ['http/1.1'],
    }).setNoDelay(true);
  }

  /** Asks the proxy for a way through to the host. Returns what to destroy to give up. */
  #openTunnel(
    proxy: URL,
    endpoint: Endpoint,
    fail: (error: Error) => void,
    done: (tunnel: Duplex) => void,
  ): Duplex {
    const host = endpoint.host.includes(':') ? `[${endpoint.host}]` : endpoint.host;
    const target = `${host}:${endpoint.port}`;
    const { isTls, host: proxyHost, port } = endpointOf(proxy, '');
    const request = (isTls ? httpsRequest : httpRequest)({
      host: proxyHost,
      port,
      method: 'CONNECT',
      path: target,
      headers: { host: target, ...this.#proxyHeaders },
      agent: false,
      rejectUnauthorized: !this.#options.insecure,
    });
    request.once('connect', (response, tunnel) => {
      if (response.statusCode === 200) {
        done(tunnel);
        return;
      }
      tunnel.destroy();
      fail(new FetchError('CONNECT', `the proxy answers ${response.statusCode} for ${target}`));
    });
    request.on('response', (response) => {
      response.destroy();
      fail(new FetchError('CONNECT', `the proxy answers ${response.statusCode} for ${target}`));
    });
    request.on('error', fail).end();
    return request as unknown as Duplex;
  }
}

function openTcp(host: string, port: number, { onRead }: SocketInput): Socket {
  return netConnect({ host, port, noDelay: true, onread: onRead });
}

function readProxy(text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url === null || (url.protocol !== 'http:' && url.protocol !== 'https:')) {
    throw new UsageError(`--proxy takes a URL like http://host:8080, got '${text}'`);
  }
  return url;
}

function basicAuthorization(url: URL): string {
  const pair = `${decodeURIComponent(url.username)}:${decodeURIComponent(url.password)}`;
  return `Basic ${Buffer.from(pair).toString('base64')}`;
}
