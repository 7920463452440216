/** `npm run bench -- NAME [arguments]`: runs one benchmark, or says which there are. */
import { availableParallelism } from 'node:os';

const BENCHES: Readonly<Record<string, () => Promise<{ run(args: string[]): Promise<void> }>>> = {
  crawl: () => import('./workers/crawl.js'),
  'many-crawls': () => import('./workers/many-crawls.js'),
  fetcher: () => import('./http/fetcher.js'),
  http: () => import('./http/http.js'),
  ring: () => import('./ring/ring.js'),
  'parse-oracle': () => import('./parse/oracle.js'),
};

const [name, ...args] = process.argv.slice(2);
const load = name === undefined ? undefined : BENCHES[name];
if (load === undefined) {
  process.stderr.write(`npm run bench -- NAME, one of: ${Object.keys(BENCHES).join(', ')}\n`);
  process.exitCode = 2;
} else {
  process.stdout.write(`${name}: ${availableParallelism()} cores, Node ${process.version}\n`);
  await (await load()).run(args);
}
