/** Where the coordinator asks about hosts: the DNS for the live Web, the web itself if it is emulated. */
import type { Clock } from '../model/clock.js';
import type { MemoryPlan } from '../model/memory-plan.js';
import type { Web } from '../model/web.js';
import type { CrawlOptions } from '../options/options.js';
import type { SiteNames } from './name-questions.js';

/** Answers at once. */
class KnownNames implements SiteNames {
  readonly canTake = true;
  readonly canTakeNew = true;
  readonly #hasSite: (host: string) => boolean;

  constructor(hasSite: (host: string) => boolean) {
    this.#hasSite = hasSite;
  }

  resolve(host: string, done: (address: string, failure: string) => void): void {
    done('', this.#hasSite(host) ? '' : 'NO_SUCH_HOST');
  }

  forget(): void {}

  probe(_host: string, done: (isAnswered: boolean) => void): void {
    done(true);
  }

  close(): void {}
}

export async function siteNames(
  web: Web,
  options: CrawlOptions,
  plan: MemoryPlan,
  clock: Clock,
): Promise<SiteNames> {
  if (options.web !== 'http') return new KnownNames((host) => web.hasSite(host));
  if (options.proxy !== '') {
    const { ProxiedNames } = await import('../web/http/proxied-names.js');
    return new ProxiedNames(options['allow-private']);
  }
  const { NameResolver } = await import('../web/http/name-resolver.js');
  return new NameResolver({
    allowPrivate: options['allow-private'],
    memoryBytes: plan.names,
    clock,
    servers: options.dns.length === 0 ? undefined : options.dns,
  });
}
