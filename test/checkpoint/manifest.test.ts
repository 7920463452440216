import assert from 'node:assert/strict';
import { test } from 'node:test';
import { crc32 } from 'node:zlib';
import { CheckpointFiles } from '#drumline/checkpoint/checkpoint-files.js';
import { Generations } from '#drumline/checkpoint/generations.js';
import { readManifest, writeManifest } from '#drumline/checkpoint/manifest.js';
import { checkNeeded, NEEDED_FILE, type NeededFile, NeededFiles } from '#drumline/checkpoint/needed-file.js';
import { CrawlDirectory } from '#drumline/model/crawl-directory.js';
import { saveJson } from '#drumline/model/json-file.js';
import { fields, list } from '#drumline/model/shape.js';
import { MemoryDisk } from '#drumline/simulate/memory-disk.js';

const PART = fields<{ readonly files: readonly NeededFile[] }>({ files: list(NEEDED_FILE) });

const directory = new CrawlDirectory('crawl');
const files = new CheckpointFiles(directory, 7);
const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text);
const LIST = directory.pageListPart(0, 3);
const OPEN = 'crawl/warc/drumline-20300131000000-000-00002.warc.gz.open';

/** A part of a list, a WARC file that is written to, a frontier's file, and a checkpoint that needs the first bytes of them. */
function saved(): MemoryDisk {
  const disk = new MemoryDisk();
  disk.put(LIST, bytesOf('http://a.example/\nhttp://b.example/\n'));
  disk.put(OPEN, bytesOf('a member, and another member'));
  disk.put('crawl/agent-0/frontier.queue', new Uint8Array(100));
  const needed = new NeededFiles(disk, directory.path);
  const outside = [
    needed.begins(LIST, 18),
    needed.begins(OPEN, 9),
    needed.holds('crawl/agent-0/frontier.queue', 64),
  ];
  saveJson(disk, files.agent(0), PART, { files: outside });
  saveJson(disk, files.run, PART, { files: [] });
  disk.put(files.siteTable, bytesOf('any bytes'));
  writeManifest(disk, directory, files);
  return disk;
}

const check = (disk: MemoryDisk): void => checkNeeded(disk, directory.path, readManifest(disk, files));

test('a manifest lists all of the directory, and what the parts say of files outside', () => {
  const disk = saved();
  const { bytes, path } = readManifest(disk, files).find((each: NeededFile) => each.path.endsWith('.part'))!;
  assert.deepEqual({ bytes, path }, { bytes: 18, path: 'pages-0-3.part' });
  assert.equal(readManifest(disk, files).length, 6);
  check(disk);
});

test('what is behind the checkpoint may change, and a WARC file may be completed', () => {
  const disk = saved();
  disk.put(LIST, bytesOf('http://a.example/\nhttp://c.ex'));
  disk.rename(OPEN, OPEN.replace('.open', ''));
  check(disk);
});

test('a file that is gone, empty, cut, longer or flipped is named, whichever it is', () => {
  for (const [path, whole] of saved().files()) {
    const needed = readManifest(saved(), files).find((each) => `crawl/${each.path}` === path);
    const isManifest = needed === undefined;
    const refuses = (change: (disk: MemoryDisk) => void, what: string): void => {
      const disk = saved();
      change(disk);
      assert.throws(
        () => check(disk),
        new RegExp(`${path.replace('.open', '')}.*: damaged at`),
        `${path} ${what}`,
      );
    };
    refuses((disk) => disk.remove(path), 'gone');
    refuses((disk) => disk.put(path, new Uint8Array(0)), 'empty');
    refuses((disk) => disk.put(path, whole.subarray(0, (needed?.bytes ?? whole.length) - 1)), 'cut');
    if (isManifest || needed.extent === 'whole')
      refuses((disk) => disk.put(path, Buffer.concat([whole, bytesOf('x')])), 'longer');
    if (needed?.extent === 'holds') continue;
    for (let at = 0; at < (needed?.bytes ?? whole.length); at++) {
      const flipped = whole.slice();
      flipped[at]! ^= 1 << (at & 7);
      refuses((disk) => disk.put(path, flipped), `flipped at ${at}`);
    }
  }
});

test('of a file that grew, only what is new is read', () => {
  const disk = new MemoryDisk();
  disk.put(LIST, bytesOf('x'.repeat(1000)));
  let read = 0;
  const open = disk.open.bind(disk);
  disk.open = (path, mode) => {
    const file = open(path, mode);
    return {
      ...file,
      read: (into, start, end, position) => {
        const count = file.read(into, start, end, position);
        read += count;
        return count;
      },
    };
  };
  const needed = new NeededFiles(disk, directory.path);
  const first = needed.begins(LIST, 400);
  const second = needed.begins(LIST, 1000);
  assert.equal(read, 1000);
  // Another life of the thread goes on from what was saved.
  assert.deepEqual(new NeededFiles(disk, directory.path, [first]).begins(LIST, 1000), second);
  assert.equal(read, 1600);
  assert.deepEqual(new NeededFiles(disk, directory.path).begins(LIST, 1000), second);
});

test('a checkpoint whose CURRENT was lost is found by its manifest, and one without a manifest is none', () => {
  const disk = saved();
  const generations = new Generations(disk, directory);
  disk.put(new CheckpointFiles(directory, 8).run, bytesOf('{}'));
  assert.equal(generations.current(), 7);
  generations.commit(7);
  disk.remove(directory.current);
  assert.equal(generations.current(), 7);
});

test('a checkpoint of another version is refused, and says what to do', () => {
  const disk = new MemoryDisk();
  const line = 'drumline-checkpoint 2 00000007';
  const sum = crc32(line).toString(16).padStart(8, '0');
  disk.put(directory.current, bytesOf(`${line} ${sum}\n`));
  assert.throws(
    () => new Generations(disk, directory).current(),
    /a checkpoint of version 2, this program reads version 3; go on with the program that made it/,
  );
});

test('no more is read than was asked for, the smaller files first', () => {
  const disk = saved();
  const needed = readManifest(disk, files);
  disk.put(OPEN, bytesOf('another one, of a file'));
  assert.throws(() => checkNeeded(disk, directory.path, needed, 9), /warc.gz.open: damaged/);
  disk.put(OPEN, bytesOf('a member, and another member'));
  disk.put(LIST, bytesOf('http://z.example/\nhttp://b.example/\n'));
  checkNeeded(disk, directory.path, needed, 9);
  assert.throws(() => checkNeeded(disk, directory.path, needed), /pages-0-3.part: damaged/);
});
