import assert from 'node:assert/strict';
import { test } from 'node:test';
import { loadJson, readJson, saveJson } from '#drumline/model/json-file.js';
import { count, fields, list, orElse, place, type Shape, text } from '#drumline/model/shape.js';
import { MemoryDisk } from '#drumline/simulate/memory-disk.js';

interface State {
  readonly name: string;
  readonly seen: number;
  readonly parts: readonly { readonly at: number }[];
}
const STATE: Shape<State> = fields({
  name: text,
  seen: count,
  parts: list(fields<{ at: number }>({ at: place })),
});
const SAVED: State = { name: 'é \u2028 "quoted"', seen: 7, parts: [{ at: 12 }, { at: -1 }] };
const PATH = '/crawl/state.json';

function saved(): { readonly disk: MemoryDisk; readonly bytes: Uint8Array } {
  const disk = new MemoryDisk();
  saveJson(disk, PATH, STATE, SAVED);
  return { disk, bytes: disk.files().get(PATH)! };
}

test('a state comes back as it was saved, and no flipped bit or cut end of its file is taken for one', () => {
  const { bytes, disk } = saved();
  assert.deepEqual(loadJson(disk, PATH, STATE), SAVED);
  for (let bit = 0; bit < 8 * bytes.length; bit++) {
    const flipped = bytes.slice();
    flipped[bit >>> 3]! ^= 1 << (bit & 7);
    disk.put(PATH, flipped);
    // One of another version is whole, and none of ours.
    assert.throws(() => loadJson(disk, PATH, STATE), /damaged at offset 0|a state of version/, `bit ${bit}`);
  }
  for (let length = 0; length < bytes.length; length++) {
    disk.put(PATH, bytes.subarray(0, length));
    assert.throws(() => loadJson(disk, PATH, STATE), { code: 'DAMAGED_FILE' }, `${length} bytes`);
  }
});

test('a digit that was flipped is not taken for the truth', () => {
  const { bytes, disk } = saved();
  disk.put(PATH, Buffer.from(Buffer.from(bytes).toString().replace('"seen":7', '"seen":6')));
  assert.throws(() => loadJson(disk, PATH, STATE), { code: 'DAMAGED_FILE', message: /its checksum/ });
});

test('the shape of a state is asked before it is written, and after it was read', () => {
  const disk = new MemoryDisk();
  const wrong = { ...SAVED, seen: Number.NaN };
  assert.throws(() => saveJson(disk, PATH, STATE, wrong), {
    code: 'DEFECT',
    message: /can be read: it\.seen is not a count, but null$/,
  });
  assert.deepEqual([...disk.files().keys()], []);
  saveJson(disk, PATH, fields<{ seen: number }>({ seen: place }), { seen: -1 });
  assert.throws(() => loadJson(disk, PATH, STATE), {
    code: 'DAMAGED_FILE',
    message: /it\.name is not a text/,
  });
  const least = fields<{ seen: number }>({ seen: orElse(count, 5) });
  disk.put(PATH, Buffer.from('{"others":1}'));
  assert.deepEqual(readJson(disk, PATH, least), { seen: 5 });
  disk.put(PATH, Buffer.from('{"seen":1.5}'));
  assert.throws(() => readJson(disk, PATH, least), { code: 'DAMAGED_FILE', message: /it\.seen/ });
});
