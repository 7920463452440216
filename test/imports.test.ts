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
  spill: ['model'],
  drum: ['model'],
  log: ['model'],
  monitor: ['model'],
  parse: ['model'],
  robots: ['model'],
  scope: ['model'],
  seeds: ['model'],
  store: ['model'],
  throttle: ['model'],
  ring: ['model', 'spill'],
  web: ['model', 'store'],
  partition: ['drum', 'model'],
  shard: ['drum', 'model', 'spill'],
  boards: ['model', 'partition', 'ring', 'store', 'throttle'],
  route: ['drum', 'model', 'scope'],
  checkpoint: ['boards', 'model', 'ring'],
  archive: ['boards', 'checkpoint', 'drum', 'model', 'ring', 'store', 'throttle'],
  visit: ['boards', 'drum', 'log', 'model', 'parse', 'robots', 'shard', 'store', 'throttle', 'web'],
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

function files(directory: string): string[] {
  return readdirSync(directory).flatMap((name) => {
    const path = join(directory, name);
    return statSync(path).isDirectory() ? files(path) : path.endsWith('.js') ? [path] : [];
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
