/**
 * Hosts behind a proxy: it looks the names up itself, and decides which of the addresses it finds are private. What is an
 * address already, or this machine's own name, is judged here all the same.
 */
import { isPublicAddress, literalAddress } from './address.js';

/** The name that a host means, however it is spelled. */
export const nameOf = (host: string): string => host.toLowerCase().replace(/\.$/, '');

/** Does the host mean this machine (RFC 6761, section 6.3)? REQUIRES: a name as of `nameOf`. */
export const isLocalName = (name: string): boolean => name === 'localhost' || name.endsWith('.localhost');

/** May a host be asked for through a proxy, on a public Web? */
export function isPublicHost(host: string): boolean {
  const name = nameOf(host);
  if (isLocalName(name)) return false;
  const address = literalAddress(name);
  return address === '' || isPublicAddress(address);
}

export class ProxiedNames {
  readonly canTake = true;
  readonly canTakeNew = true;
  readonly #allowPrivate: boolean;

  constructor(allowPrivate: boolean) {
    this.#allowPrivate = allowPrivate;
  }

  resolve(host: string, done: (address: string, failure: string) => void): void {
    done('', this.#allowPrivate || isPublicHost(host) ? '' : 'PRIVATE_ADDRESS');
  }

  forget(): void {}

  /** Whether the proxy's name servers answer is not known here. */
  probe(_host: string, done: (isAnswered: boolean) => void): void {
    done(true);
  }

  close(): void {}
}
