/** Holds the table of folders in docs/architecture.md: imports point one way. */
import assert from 'node:assert/strict';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';

const DIST = dirname(fileURLToPath(import.meta.resolve('#drumline/main.js')));
/** A row a room, from the ground up: what each may import beside itself. What is not in a row is not allowed. */
const ALLOWED: Record<string, string[]> = {
  model: [],
  options: ['model'],
  spill: ['model'],
  drum: ['model'],
  log: ['model'],
  monitor: ['model'],
  parse: ['model'],
  robots: ['model'],
  scope: ['model', 'options'],
  seeds: ['model'],
  store: ['model'],
  throttle: ['model'],
  ring: ['model', 'spill'],
  web: ['model', 'store'],
  partition: ['drum', 'model'],
  shard: ['drum', 'model', 'spill'],
  boards: ['model', 'options', 'partition', 'ring', 'store', 'throttle'],
  route: ['drum', 'model', 'scope'],
  checkpoint: ['boards', 'model', 'ring'],
  archive: ['boards', 'checkpoint', 'drum', 'model', 'options', 'ring', 'store', 'throttle'],
  visit: [
    'boards',
    'drum',
    'log',
    'model',
    'options',
    'parse',
    'robots',
    'shard',
    'store',
    'throttle',
    'web',
  ],
};
/** The roles and what runs them: each may import all of the rooms above, and those before it in this list. */
const ROLES = ['coordinator', 'agent', 'workers', 'run', 'evaluate', 'command', 'simulate'];
/** Roles that do not know each other. */
const APART = new Set(['agent coordinator', 'workers coordinator']);

/** The rooms that a room may import, or null if the table does not have it. */
function allowedOf(room: string): readonly string[] | null {
  const role = ROLES.indexOf(room);
  if (role < 0) return ALLOWED[room] ?? null;
  return [...Object.keys(ALLOWED), ...ROLES.slice(0, role)].filter((other) => !APART.has(`${room} ${other}`));
}

const ROOMS = readdirSync(join(DIST, '..', 'src'), { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .map(({ name }) => name);

function files(directory: string, ending = '.js'): string[] {
  return readdirSync(directory).flatMap((name) => {
    const path = join(directory, name);
    return statSync(path).isDirectory() ? files(path, ending) : path.endsWith(ending) ? [path] : [];
  });
}

test('imports go up the table of rooms only', () => {
  let checked = 0;
  for (const room of ROOMS) {
    const allowed = allowedOf(room);
    assert.ok(allowed !== null, `src/${room} is in no row of this table`);
    for (const file of files(join(DIST, room))) {
      for (const [, target] of readFileSync(file, 'utf8').matchAll(/(?:from|import\() ?'(\.[^']+)'/g)) {
        const [other] = relative(DIST, resolve(dirname(file), target!)).split(/[\\/]/);
        assert.ok(other === room || allowed.includes(other!), `${relative(DIST, file)} imports ${target}`);
        checked++;
      }
    }
  }
  assert.ok(checked > 100, `${checked} imports`);
});

const SRC = join(DIST, '..', 'src');
const MOST_LINES = 300;
const MOST_FILES = 36;

/** What each source imports, types included, by paths from `src`. */
function importsOfSources(): Map<string, string[]> {
  const sources = files(SRC, '.ts').map((path) => [path, readFileSync(path, 'utf8')] as const);
  return new Map(
    sources.map(([path, text]) => [
      relative(SRC, path),
      [...text.matchAll(/(?:from|import\() ?'(\.[^']+)\.js'/g)].map(([, target]) =>
        relative(SRC, `${resolve(dirname(path), target!)}.ts`),
      ),
    ]),
  );
}

test('no source imports itself by way of others', () => {
  const imports = importsOfSources();
  const done = new Set<string>();
  const visit = (file: string, way: readonly string[]): void => {
    assert.ok(!way.includes(file), [...way.slice(way.indexOf(file)), file].join(' > '));
    if (done.has(file)) return;
    for (const target of imports.get(file) ?? []) visit(target, [...way, file]);
    done.add(file);
  };
  for (const file of imports.keys()) visit(file, []);
  assert.ok(done.size > 300, `${done.size} sources`);
});

test('sources are short, and folders hold few of them', () => {
  const folders = new Map<string, number>();
  for (const path of files(SRC, '.ts')) {
    const lines = readFileSync(path, 'utf8').split('\n').length - 1;
    assert.ok(lines <= MOST_LINES, `${relative(SRC, path)} has ${lines} lines`);
    folders.set(dirname(path), (folders.get(dirname(path)) ?? 0) + 1);
  }
  for (const [folder, count] of folders)
    assert.ok(count <= MOST_FILES, `${relative(SRC, folder)} has ${count} files`);
});
