/** Holds the table of folders in docs/architecture.md: imports point one way. */
import assert from 'node:assert/strict';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';

const DIST = dirname(fileURLToPath(import.meta.resolve('#drumline/main.js')));
const ALLOWED: Record<string, string[]> = {
  model: [],
  spill: ['model'],
  ring: ['model', 'spill'],
  drum: ['model'],
  throttle: ['model'],
  parse: ['model'],
  robots: ['model'],
  scope: ['model'],
  shard: ['model', 'spill', 'drum', 'ring'],
  log: ['model'],
  store: ['model'],
  web: ['model', 'store'],
  seeds: ['model'],
  monitor: ['model'],
};

function files(directory: string): string[] {
  return readdirSync(directory).flatMap((name) => {
    const path = join(directory, name);
    return statSync(path).isDirectory() ? files(path) : path.endsWith('.js') ? [path] : [];
  });
}

test('imports go up the table of folders only', () => {
  let checked = 0;
  for (const [folder, allowed] of Object.entries(ALLOWED)) {
    for (const file of files(join(DIST, folder))) {
      for (const [, target] of readFileSync(file, 'utf8').matchAll(/(?:from|import\() ?'(\.[^']+)'/g)) {
        const [other] = relative(DIST, resolve(dirname(file), target!)).split(/[\\/]/);
        assert.ok(other === folder || allowed.includes(other!), `${relative(DIST, file)} imports ${target}`);
        checked++;
      }
    }
  }
  assert.ok(checked > 100, `${checked} imports`);
});
