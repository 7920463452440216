/** `npm run bench -- NAME [arguments]`: runs one benchmark, or says which there are. */
import { availableParallelism } from 'node:os';

const BENCHES: Readonly<Record<string, () => Promise<{ run(args: string[]): Promise<void> }>>> = {
  checkpoints: () => import('./run/checkpoints.js'),
  crawl: () => import('./run/crawl.js'),
  'drum-crash': () => import('./drum/crash.js'),
  drum: () => import('./drum/drum.js'),
  fetcher: () => import('./http/fetcher.js'),
  http: () => import('./http/http.js'),
  'frontier-growth': () => import('./shard/growth.js'),
  'http-large': () => import('./http/large-bodies.js'),
  'http-memory': () => import('./http/memory.js'),
  'http-traps': () => import('./http/traps/traps.js'),
  hostile: () => import('./http/hostile.js'),
  'http-pages': () => import('./http/pages.js'),
  index: () => import('./store/index.js'),
  'many-crawls': () => import('./run/many-crawls.js'),
  package: () => import('./packaging/package.js'),
  'parse-fuzz': () => import('./parse/fuzz.js'),
  'parse-oracle': () => import('./parse/oracle.js'),
  parse: () => import('./parse/parse.js'),
  resume: () => import('./run/resume.js'),
  ring: () => import('./ring/ring.js'),
  torture: () => import('./run/torture.js'),
  'url-oracle': () => import('./parse/url-oracle.js'),
  warc: () => import('./store/warc.js'),
  'warc-oracle': () => import('./store/warc-oracle.js'),
  web: () => import('./web/web.js'),
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
