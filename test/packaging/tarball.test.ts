/** What `npm pack` makes: only what a user needs, and it works in a project of its own. */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { after, before, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { version } from '#drumline/model/version.js';

const source = dirname(dirname(fileURLToPath(import.meta.resolve('#drumline/main.js'))));
const root = mkdtempSync(join(tmpdir(), 'drumline-tarball-'));
const project = join(root, 'project');
const installed = join(project, 'node_modules', 'drumline');
after(() => rmSync(root, { recursive: true, force: true }));

/** Offline, and with nothing that was fetched before. */
function npm(directory: string, program: 'npm' | 'npx', ...words: string[]): string {
  const own = ['--cache', join(root, 'cache'), '--offline'];
  return execFileSync(program, [...own, ...words], { cwd: directory, encoding: 'utf8', stdio: 'pipe' });
}

before(() => {
  // Without scripts: they would build dist/ anew under the tests that run meanwhile.
  const [tarball] = npm(
    source,
    'npm',
    'pack',
    '--silent',
    '--ignore-scripts',
    '--pack-destination',
    root,
  ).split('\n');
  mkdirSync(project);
  const { dependencies } = JSON.parse(readFileSync(join(source, 'package.json'), 'utf8')) as {
    dependencies: Record<string, string>;
  };
  // What it depends on is linked from here, so that no registry is asked.
  const links = Object.keys(dependencies).map((name) => [name, `file:${join(source, 'node_modules', name)}`]);
  writeFileSync(
    join(project, 'package.json'),
    JSON.stringify({ private: true, dependencies: Object.fromEntries(links) }),
  );
  npm(project, 'npm', 'install', '--ignore-scripts', '--no-audit', '--no-fund', join(root, tarball!));
});

function files(directory: string): string[] {
  return readdirSync(directory, { recursive: true, encoding: 'utf8' })
    .map((name) => join(directory, name))
    .filter((path) => statSync(path).isFile());
}

test('holds what a user needs and no more', () => {
  const names = files(installed).map((path) => relative(installed, path));
  const others = names.filter((name) => !/^dist\/.*(\.js|\.d\.ts)$|^docs\/[a-z-]+\.md$/.test(name)).sort();
  assert.deepEqual(others, ['CHANGELOG.md', 'LICENSE', 'README.md', 'dist/parse/links.wasm', 'package.json']);
  for (const name of ['dist/main.js', 'dist/index.js', 'dist/index.d.ts', 'docs/operations.md'])
    assert.ok(names.includes(name), name);
  assert.deepEqual(
    names.filter((name) => /\btest\b|\bbench\b/.test(name)),
    [],
  );
});

test('names no source map and no path of this machine', () => {
  for (const path of files(installed)) {
    const text = readFileSync(path, 'utf8');
    assert.ok(!text.includes('sourceMappingURL'), `${path} names a source map`);
    assert.ok(!text.includes(source), `${path} names ${source}`);
  }
});

test('works in an empty project', () => {
  assert.equal(npm(project, 'npx', '--no-install', 'drumline', '--version'), `${version()}\n`);
  const words = ['--agents', '2', '--web', 'synthetic:pages=60,sites=3', '--report', 'report.json'];
  npm(project, 'npx', '--no-install', 'drumline', ...words);
  const report = JSON.parse(readFileSync(join(project, 'report.json'), 'utf8'));
  assert.deepEqual([report.outcome, report.pages, report.coverage], ['exhausted', 60, 1]);
});

test('can be imported', () => {
  const script =
    "import { CrawlDirectory, version } from 'drumline'; console.log(version(), new CrawlDirectory('x').report)";
  const words = ['--input-type=module', '--eval', script];
  const said = execFileSync(process.execPath, words, { cwd: project, encoding: 'utf8' });
  assert.equal(said, `${version()} ${join('x', 'report.json')}\n`);
});
