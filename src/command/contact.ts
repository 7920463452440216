/**
 * Whom sites can turn to: given by --contact, else by the environment. A crawl of the Web without anybody is not faster
 * than the defaults; loopback and private addresses are the operator's own, and may be asked as fast as he likes.
 */
import type { CrawlDirectory } from '../model/crawl-directory.js';
import { UsageError } from '../model/errors.js';
import { formatTime } from '../model/quantity.js';
import { complain } from '../model/terminal.js';
import { CONTACT_TAKES, isContact } from '../options/crawler-name.js';
import { CRAWL_OPTIONS, type CrawlOptions } from '../options/options.js';
import { seedStrings } from '../seeds/seed-file.js';
import { isPublicAddress, literalAddress } from '../web/http/address.js';
import type { GivenOptions } from './arguments.js';

const VARIABLE = 'DRUMLINE_CONTACT';

const NO_CONTACT =
  `without a --contact (or ${VARIABLE}) sites can turn to nobody, so delays can't be set below their defaults; ` +
  'give one like --contact mailto:you@example.org';

/** The options with the contact of the environment, if there is one and a crawl of the Web was given none. */
export function withContact(given: GivenOptions, environment: NodeJS.ProcessEnv): GivenOptions {
  const contact = environment[VARIABLE] ?? '';
  const isHttp = (given.find(([name]) => name === 'web')?.[1] ?? 'http') === 'http';
  if (contact === '' || !isHttp || given.some(([name]) => name === 'contact')) return given;
  if (!isContact(contact)) throw new UsageError(`${VARIABLE} takes ${CONTACT_TAKES}, got '${contact}'`);
  return [...given, ['contact', contact]];
}

/** With --allow-private the pace is the address's business: see `HostPoliteness`. Behind a proxy no address is known. */
export function checkPace(options: CrawlOptions): void {
  if (options.web !== 'http' || options.contact !== '') return;
  if (options['allow-private'] && options.proxy === '') return;
  for (const name of ['host-delay', 'ip-delay'] as const) {
    const least = CRAWL_OPTIONS[name].fallback(true);
    if (options[name] < least)
      throw new UsageError(
        `--${name} takes at least ${formatTime(least)} without a --contact that sites can turn to, got '${formatTime(options[name])}'`,
      );
  }
}

/** In a line, unless all that is asked is this machine or a private address. REQUIRES: the seeds are written. */
export function askForContact(options: CrawlOptions, { seeds }: CrawlDirectory): void {
  if (options.web !== 'http' || options.contact !== '') return;
  for (const url of seedStrings(seeds)) {
    if (isOwnHost(url)) continue;
    complain(NO_CONTACT);
    return;
  }
}

/** Is the host of this canonical URL this machine, or a private address? Names are not looked up. */
export function isOwnHost(url: string): boolean {
  const host = url.slice(url.indexOf('//') + 2).split(/[:/?](?![^[]*\])/, 1)[0]!;
  if (host === 'localhost' || host.endsWith('.localhost')) return true;
  const address = literalAddress(host);
  return address !== '' && !isPublicAddress(address);
}
