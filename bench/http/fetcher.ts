/** Pages per CPU-second of the fetcher over loopback, beside undici's own ways; the server is another process. */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { Agent, request } from 'undici';
import { HttpFetcher } from '#drumline/web/http/http-fetcher.js';

const SERVER = fileURLToPath(new URL('page-server.js', import.meta.url));
const HOSTS = 64;
const ROUNDS = 5;
const [PLAIN, GZIP] = ['plain', 'gzip'];

/** Fetches pages of host `i` one after the other, until `next` says no. */
type Crawl = (i: number, next: () => boolean, done: () => void) => void;

function withFetcher(fetcher: HttpFetcher, port: number): Crawl {
  return (i, next, done) => {
    const url = Buffer.from(`http://host${i}.test:${port}/some/page-${i}.html`);
    const fetchNext = (): void => {
      if (!next()) done();
      else fetcher.fetch(url, 0, url.length, '127.0.0.1', onPage);
    };
    const onPage = ({
      status,
      bodyLength,
      failure,
    }: {
      status: number;
      bodyLength: number;
      failure: string;
    }): void => {
      if (status !== 200 || bodyLength === 0) throw new Error(`${status} ${failure}`);
      fetchNext();
    };
    fetchNext();
  };
}

function withRequest(agent: Agent, port: number): Crawl {
  return async (i, next, done) => {
    while (next()) {
      const { body } = await request(`http://127.0.0.1:${port}/some/page-${i}.html`, { dispatcher: agent });
      if ((await body.arrayBuffer()).byteLength === 0) throw new Error('empty');
    }
    done();
  };
}

/** The least that a handler can do: what undici itself costs. */
function withDispatch(agent: Agent, port: number): Crawl {
  return (i, next, done) => {
    const origin = `http://127.0.0.1:${port}`;
    const handler = {
      onConnect() {},
      onHeaders: () => true,
      onData: () => true,
      onComplete: () => fetchNext(),
      onError(error: Error) {
        throw error;
      },
    };
    const fetchNext = (): void => {
      if (!next()) done();
      else agent.dispatch({ origin, path: `/some/page-${i}.html`, method: 'GET' }, handler);
    };
    fetchNext();
  };
}

async function measure(crawl: Crawl, pages: number): Promise<number> {
  let left = pages;
  const next = (): boolean => left-- > 0;
  const before = process.cpuUsage();
  await Promise.all(
    Array.from({ length: HOSTS }, (_, i) => new Promise<void>((done) => crawl(i, next, done))),
  );
  const { user, system } = process.cpuUsage(before);
  return (pages * 1e6) / (user + system);
}

const median = (values: number[]): number => values.sort((a, b) => a - b)[values.length >> 1]!;

export async function run(args: string[]): Promise<void> {
  const pages = Number(args[0] ?? 10_000);
  process.stdout.write(
    `${pages} pages a round, ${ROUNDS} rounds, ${HOSTS} hosts; medians of pages per CPU-second\n`,
  );
  for (const [size, coding] of [
    [1500, PLAIN],
    [22_300, PLAIN],
    [22_300, GZIP],
    [60_000, PLAIN],
  ] as const) {
    const server = fork(SERVER, [`${size}`, coding!]);
    const [port] = (await once(server, 'message')) as [number];
    const fetcher = new HttpFetcher({ userAgent: 'drumline-bench' });
    const agent = new Agent({ connections: HOSTS, pipelining: 1 });
    const ways: Record<string, Crawl> = {
      HttpFetcher: withFetcher(fetcher, port),
      // Neither of these decodes.
      'undici.request': withRequest(agent, port),
      'dispatch to nothing': withDispatch(agent, port),
    };
    const rates: Record<string, number[]> = {};
    for (let round = 0; round <= ROUNDS; round++) {
      for (const [way, crawl] of Object.entries(ways)) {
        const rate = await measure(crawl, pages);
        // The first round warms up.
        if (round > 0) rates[way] = [...(rates[way] ?? []), rate];
      }
    }
    const shown = Object.entries(rates).map(([way, values]) => `${way} ${median(values).toFixed(0)}`);
    process.stdout.write(`${size} bytes, ${coding}: ${shown.join(', ')}\n`);
    fetcher.close();
    await agent.destroy();
    server.kill();
  }
}
