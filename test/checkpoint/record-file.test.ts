import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { RecordFileWriter, readRecordFile } from '#drumline/checkpoint/record-file.js';
import { nodeDisk } from '#drumline/model/disk.js';
import { MemoryDisk } from '#drumline/simulate/memory-disk.js';

const directory = mkdtempSync(join(tmpdir(), 'drumline-records-'));
after(() => rmSync(directory, { recursive: true }));
const path = join(directory, 'records');

function write(records: Uint8Array[]): void {
  const writer = new RecordFileWriter(nodeDisk, path);
  for (const record of records) writer.add(record, 0, record.length);
  writer.close();
}

function read(): Buffer[] {
  const records: Buffer[] = [];
  readRecordFile(nodeDisk, path, (bytes, start, end) => records.push(Buffer.from(bytes.slice(start, end))));
  return records;
}

const record = (i: number, length: number): Buffer => Buffer.alloc(length, i);

test('what is written is read back: none, empty ones, long ones, many', () => {
  for (const records of [
    [],
    [record(0, 0)],
    [record(1, 65_536), record(2, 0), record(3, 65_536), record(4, 65_535), record(5, 65_536), record(6, 1)],
    Array.from({ length: 20_000 }, (_, i) => record(i & 255, (i * 7919) % 300)),
  ]) {
    write(records);
    assert.deepEqual(read(), records);
  }
});

test('a file that is cut or changed anywhere is an error that names it', () => {
  write([record(1, 10), record(2, 100), record(3, 3)]);
  const whole = readFileSync(path);
  for (let length = 0; length < whole.length; length++) {
    writeFileSync(path, whole.subarray(0, length));
    assert.throws(read, /records: damaged at offset \d+/, `cut to ${length}`);
  }
  writeFileSync(path, Buffer.concat([whole, Buffer.alloc(1)]));
  assert.throws(read, /damaged/);
  for (let at = 0; at < whole.length; at++) {
    const changed = Buffer.from(whole);
    changed[at]! ^= 1 << (at & 7);
    writeFileSync(path, changed);
    assert.throws(read, /records: damaged at offset \d+/, `changed at ${at}`);
  }
});

test('a file of any size around the buffer it is read through is whole', () => {
  const disk = new MemoryDisk();
  const others = 8 + 12;
  for (const buffers of [1, 2]) {
    for (let size = buffers * (1 << 18) - 40; size <= buffers * (1 << 18) + 40; size++) {
      // Records of 1,000 bytes, and a last one that makes up the size.
      const count = Math.floor((size - others - 4) / 1004);
      const last = size - others - 4 - count * 1004;
      const writer = new RecordFileWriter(disk, path);
      for (let i = 0; i < count; i++) writer.add(record(i & 255, 1000), 0, 1000);
      writer.add(record(7, last), 0, last);
      writer.close();
      assert.equal(disk.files().get(path)!.length, size);
      let visited = 0;
      readRecordFile(disk, path, () => visited++);
      assert.equal(visited, count + 1, `${size} bytes`);
    }
  }
});
