import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';

const MAIN = fileURLToPath(import.meta.resolve('#drumline/main.js'));
const directory = mkdtempSync(join(tmpdir(), 'drumline-cli-'));
after(() => rmSync(directory, { recursive: true, force: true }));

function drumline(...words: string[]) {
  return spawnSync(process.execPath, [MAIN, ...words], { cwd: directory, encoding: 'utf8' });
}

const WEB = 'synthetic:pages=60,sites=3,size=2000';

for (const [words, message] of [
  [['--agnets', '3'], /unknown option --agnets; did you mean --agents\?/],
  [['crwal', '--agents', '3'], /unknown command 'crwal'; did you mean crawl\?/],
  [['help', 'fly'], /unknown command 'fly'/],
  [['--config', 'no-such-file'], /--config takes a file of JSON, got 'no-such-file'/],
  [['--config', 'a', '--config', 'b'], /--config is given twice/],
  [['--print-config=yes'], /--print-config takes no value, got 'yes'/],
  [['--agents', 'many', '--web', WEB], /--agents takes a whole number from 0 to 512, got 'many'/],
  [['--agents'], /--agents takes N, got nothing/],
  [['--agents', '2', '--agents', '3', '--web', WEB], /--agents is given twice/],
  [['--web', 'synthetic:pages=none'], /pages.*none/],
  [['--web', 'synthetic:colour=red'], /colour/],
  [['--web', 'gopher'], /gopher/],
  [['--web', 'disk:no-such-place'], /no-such-place/],
  [['--web', WEB, '--seeds', 'no-such-file'], /--seeds.*no-such-file/],
  [['--web', WEB, '--seed', 'mailto:me'], /--seed.*mailto:me/],
  [['--web', WEB, '--memory', '10'], /--memory takes a size of at least 8MB.*'10'/],
  [['--web', WEB, '--links', 'all'], /--links takes one of full-coverage, two-level, got 'all'/],
  [['--web', WEB, '--list-pages=yes'], /--list-pages takes no value/],
  [['--web', WEB, '--bandwidth', '5'], /--bandwidth takes a rate like 320Mbit, got '5'/],
  [['crawl', 'more'], /crawl takes http or https URLs, got 'more'/],
  [['mailto:me@a.example'], /crawl takes http or https URLs, got 'mailto:me@a.example'/],
  [['https://a.example/', 'b.example/ c'], /crawl takes http or https URLs, got 'b\.example\/ c'/],
  [['./'], /got the file '\.\/'; did you mean --seeds \.\/\?/],
  [['--web', WEB, '--user-agent', 'a\r\nx: y'], /--user-agent takes a product token like MyBot/],
  [['--web', WEB, '--user-agent', 'bört'], /--user-agent takes a product token.*, got 'bört'/],
  [['fly'], /unknown command 'fly'/],
  [['web'], /takes info or pack/],
  [['-x'], /unknown option -x/],
  [['--seeds', '--agents', '3'], /--seeds takes FILE, got nothing/],
  [['--web', WEB, '--out', ''], /--out takes a directory, got ''/],
  [
    ['--web', WEB, '--report', 'no/such/place.json'],
    /--report takes a file that can be written, got 'no\/such/,
  ],
  [['--web', WEB, '--agents', '512', '--memory', '8MB'], /--memory takes at least \d+MB for 512 agents/],
  [['--web', WEB, '--max-duration', '10constructor'], /--max-duration takes a time/],
  [
    ['--seed', 'http://a.example/', '--contact', 'foo'],
    /--contact takes a mail address or a URL.*, got 'foo'/,
  ],
  [
    ['http://a.example/', '--host-delay', '999ms'],
    /--host-delay takes at least 1s without a --contact.*'999ms'/,
  ],
  [['http://a.example/', '--ip-delay', '0'], /--ip-delay takes at least 250ms without a --contact/],
  [['--seed', 'http://a.example/', '--contact', 'a)b'], /--contact .*'a\)b'/],
  [['--seed', 'http://a.example/', '--contact', 'x@y', '--agents', '0'], /--agents takes a number from 1/],
] as const) {
  test(`refuses ${words.join(' ')}`, () => {
    const { status, stderr, stdout } = drumline(...words);
    assert.equal(status, 2, stderr);
    assert.match(stderr, message);
    assert.equal(stderr.trim().split('\n').length, 1, stderr);
    assert.equal(stdout, '');
  });
}

test('web pack of files without a page ends with one line and exit code 1', () => {
  writeFileSync(join(directory, 'noise.warc.gz'), 'noise');
  const { status, stderr, stdout } = drumline('web', 'pack', 'noise.warc.gz', '--out', 'packed');
  assert.deepEqual([status, stdout], [1, '']);
  const [damage, error] = stderr.trim().split('\n');
  assert.match(damage!, /noise\.warc\.gz: skipped at offset 0: it holds no WARC/);
  assert.match(error!, /^drumline: web pack: there is no HTTP response in the file /);
  const none = drumline('--web', 'disk:packed');
  assert.deepEqual([none.status, none.stderr.includes('no web in')], [2, true]);
});

test('crawls, prints a summary, writes the report, and refuses the directory a second time', () => {
  const words = ['--agents', '2', '--web', WEB, '--out', 'one', '--report', 'r.json', '--list-pages'];
  const { status, stdout, stderr } = drumline(...words);
  assert.equal(status, 0, stderr);
  assert.match(stdout, /coverage +1\.000/);
  const report = JSON.parse(readFileSync(join(directory, 'r.json'), 'utf8'));
  assert.deepEqual(report, JSON.parse(readFileSync(join(directory, 'one', 'report.json'), 'utf8')));
  assert.equal(report.pages, 60);
  const listed = readFileSync(join(directory, 'one', 'pages.txt'), 'utf8')
    .trim()
    .split('\n');
  assert.equal(new Set(listed).size, 60);
  assert.ok(!existsSync(join(directory, 'one', 'work')));
  const again = drumline(...words);
  assert.equal(again.status, 2);
  assert.match(again.stderr, /--out takes a new directory, got 'one'/);
});

test('reads seeds from gzip, names bad lines, and goes on', () => {
  const seed = drumline('web', 'info', WEB);
  assert.equal(seed.status, 0, seed.stderr);
  assert.match(seed.stdout, /reachable +60/);
  const [url] = readFileSync(join(directory, 'one', 'pages.txt'), 'utf8').split('\n');
  writeFileSync(join(directory, 'seeds.gz'), gzipSync(`# mine\n\n${url}\nnot a url\n`));
  const { status, stderr } = drumline('--agents', '1', '--web', WEB, '--seeds', 'seeds.gz', '--out', 'two');
  assert.equal(status, 0, stderr);
  assert.match(stderr, /seeds\.gz:4: skipped.*'not a url'/);
});

test('a crawl as a file says, but for what the command line says', () => {
  const config = { web: WEB, agents: 2, out: 'from-file', report: 'config.json' };
  writeFileSync(join(directory, 'config'), JSON.stringify(config));
  const words = ['--config', 'config', '--agents', '1'];
  const shown = drumline('crawl', '--print-config', ...words);
  assert.equal(shown.status, 0, shown.stderr);
  assert.equal(JSON.parse(shown.stdout).agents, 1);
  assert.ok(!existsSync(join(directory, 'from-file')));
  const { status, stderr } = drumline(...words);
  assert.equal(status, 0, stderr);
  const report = JSON.parse(readFileSync(join(directory, 'config.json'), 'utf8'));
  assert.deepEqual([report.agents, report.coverage], [1, 1]);
});

test('without a word there is a short usage', () => {
  const { status, stderr, stdout } = drumline();
  assert.deepEqual([status, stderr], [2, '']);
  assert.match(stdout, /^usage: drumline URL\.\.\. .*drumline --seeds FILE .*drumline help /s);
});

test('help and version', () => {
  assert.match(drumline('--help').stdout, /--target-pages N/);
  assert.match(drumline('help', 'resume').stdout, /^ {2}drumline resume CRAWL_DIR .*Examples:/s);
  assert.equal(drumline('web', '--help').stdout, drumline('help', 'web').stdout);
  assert.equal(drumline('-h').stdout, drumline('help').stdout);
  assert.equal(drumline('why', '-h').stdout, drumline('help', 'why').stdout);
  assert.match(drumline('help', 'help').stdout, /^ {2}drumline help \[COMMAND\] .*Examples:/s);
  assert.match(drumline('-v').stdout, /^\d+\.\d+\.\d+\n$/);
  assert.match(drumline('--version').stdout, /^\d+\.\d+\.\d+\n$/);
});

test('the first SIGINT stops cleanly: exit 130, the report says interrupted', async () => {
  const words = [
    '--agents',
    '2',
    '--web',
    'synthetic:pages=5000',
    '--bandwidth',
    '1Mbit',
    '--out',
    'stopped',
  ];
  const child = spawn(process.execPath, [MAIN, ...words], { cwd: directory, stdio: 'ignore' });
  const ended = once(child, 'exit');
  // The signal is handled from before the agents start, and an agent's directory shows that they did.
  while (!existsSync(join(directory, 'stopped', 'work', 'agent-1'))) await setTimeout(10);
  child.kill('SIGINT');
  assert.deepEqual(await ended, [130, null]);
  const report = JSON.parse(readFileSync(join(directory, 'stopped', 'report.json'), 'utf8'));
  assert.equal(report.outcome, 'interrupted');
});

test('a refused start leaves nothing behind', () => {
  const { status } = drumline('--web', WEB, '--out', 'refused/deep', '--seeds', 'no-such-file');
  assert.equal(status, 2);
  assert.ok(!existsSync(join(directory, 'refused')));
});

test('two crawls in one second get directories of their own', () => {
  for (let i = 0; i < 2; i++) assert.equal(drumline('--agents', '0', '--web', WEB).status, 0);
});

test('a reader that goes away does not end the crawl', async () => {
  const words = ['--agents', '1', '--web', WEB, '--out', 'unread', '--progress', 'plain'];
  const child = spawn(process.execPath, [MAIN, ...words], {
    cwd: directory,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  child.stdout.destroy();
  child.stderr.destroy();
  assert.deepEqual(await once(child, 'exit'), [0, null]);
  assert.ok(existsSync(join(directory, 'unread', 'report.json')));
});

test('a signal while seeds are read leaves nothing behind', async () => {
  const words = ['--agents', '1', '--web', WEB, '--out', 'unseeded', '--seeds', '-'];
  const child = spawn(process.execPath, [MAIN, ...words], {
    cwd: directory,
    stdio: ['pipe', 'ignore', 'ignore'],
  });
  const ended = once(child, 'exit');
  while (!existsSync(join(directory, 'unseeded', 'seeds.txt'))) await setTimeout(10);
  child.kill('SIGTERM');
  assert.deepEqual(await ended, [130, null]);
  assert.ok(!existsSync(join(directory, 'unseeded')));
});

test('the single-machine crawler stops while the emulated network makes it wait', async () => {
  const words = [
    '--agents',
    '0',
    '--web',
    WEB,
    '--bandwidth',
    '1kbit',
    '--max-duration',
    '300ms',
    '--out',
    'slow',
  ];
  const { status, stdout, stderr } = drumline(...words);
  // Of the first page it depends on the machine whether it comes in time.
  assert.equal(status, /no page was fetched: the crawl was stopped before the first/.test(stderr) ? 1 : 0);
  assert.match(stdout, /the time was up/);
});

test('what stands in a seeds file does not drive the terminal', () => {
  writeFileSync(join(directory, 'odd.txt'), '\u001b[31mred\u0007://x\n');
  const { status, stderr } = drumline('--web', WEB, '--seeds', 'odd.txt', '--out', 'odd');
  assert.equal(status, 2);
  assert.ok(stderr.includes("'\\u001b[31mred\\u0007://x'"), stderr);
});

test('a crawl that was stopped goes on, with new stop conditions, and only once at a time', async () => {
  const { status, stdout } = drumline('--agents', '2', '--web', WEB, '--target-pages', '20', '--out', 'part');
  assert.equal(status, 0);
  assert.match(stdout, /drumline resume .*part/);
  const lock = join(directory, 'part', 'LOCK');
  const boot = readFileSync('/proc/sys/kernel/random/boot_id', 'latin1').trim();
  writeFileSync(lock, `${boot} ${process.pid} ${processStart(process.pid)} 0\n`);
  const locked = drumline('resume', 'part');
  assert.equal(locked.status, 2);
  assert.match(locked.stderr, new RegExp(`process ${process.pid} is crawling here`));
  // A process that is dead, or that only has the number of the one that crawled.
  writeFileSync(lock, `${boot} ${process.pid} 1 0\n`);
  assert.equal(drumline('resume', 'part', '--target-pages', '40').status, 0);
  const resumed = drumline('resume', 'part', '--report', 'resumed.json');
  assert.equal(resumed.status, 0, resumed.stderr);
  const report = JSON.parse(readFileSync(join(directory, 'resumed.json'), 'utf8'));
  assert.deepEqual([report.outcome, report.pages, report.coverage, report.overlap], ['exhausted', 60, 1, 0]);
  assert.match(drumline('resume', 'part').stdout, /nothing is left to crawl/);
});

function processStart(pid: number): string {
  const text = readFileSync(`/proc/${pid}/stat`, 'latin1');
  return text.slice(text.lastIndexOf(')') + 2).split(' ')[19]!;
}

test('what can not be resumed is refused with one line that says why', () => {
  const refused = (words: string[], message: RegExp): void => {
    const { status, stderr } = drumline('resume', ...words);
    assert.ok(status === 1 || status === 2, stderr);
    assert.match(stderr, message);
    assert.equal(stderr.trim().split('\n').length, 1, stderr);
  };
  drumline('--agents', '1', '--web', WEB, '--target-pages', '20', '--out', 'broken');
  refused([], /takes one crawl directory/);
  refused(['no-such-crawl'], /no-such-crawl', which holds no crawl/);
  refused(['broken', '--agents', '3'], /got --agents/);
  const current = join(directory, 'broken', 'CURRENT');
  const line = readFileSync(current, 'utf8');
  writeFileSync(current, line.replace('checkpoint 3', 'checkpoint 7'));
  refused(['broken'], /CURRENT: damaged/);
  writeFileSync(current, line.replace('00000001', '00000002'));
  refused(['broken'], /CURRENT: damaged/);
  writeFileSync(current, line);
  const sites = join(directory, 'broken', 'checkpoint-00000001', 'agent-0-sites.records');
  const bytes = readFileSync(sites);
  bytes[20]! ^= 1;
  writeFileSync(sites, bytes);
  refused(['broken', '--progress', 'none'], /agent-0-sites.records: damaged at offset/);
});
