import assert from 'node:assert/strict';
import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { type Disk, nodeDisk } from '#drumline/model/disk.js';
import {
  earlierPausesPath,
  forEachRest,
  gatherPauses,
  longPause,
  pauseFilePath,
} from '#drumline/throttle/earlier-pauses.js';
import { GRANTED, LONGEST, type Pause, PauseFile, readPauses, TAKEN } from '#drumline/throttle/pause-file.js';
import { temporaryDirectory } from '../web/temporary-directory.js';

const granted = (low: number, until: number, pause: number): Pause => ({
  ...{ low, high: low + 1, until, pause },
  kind: GRANTED,
});

function entriesOf(path: string): Pause[] {
  const entries: Pause[] = [];
  readPauses(nodeDisk, path, (entry) => entries.push({ ...entry }));
  return entries;
}

function restsOf(path: string, now: number): [number, number][] {
  const rests: [number, number][] = [];
  forEachRest(nodeDisk, path, now, (low, _high, rest) => rests.push([low, rest]));
  return rests;
}

test('entries come back, over several openings and with a torn end', (t) => {
  const path = join(temporaryDirectory(t), 'pauses', 'agent-0');
  const entries = [granted(0xffff_ffff, 20_000.5, 15_000), granted(2, 30_000, 20_000)];
  let file = new PauseFile(nodeDisk, path);
  file.add(entries[0]!, 0);
  file.close();
  writeFileSync(path, Buffer.concat([readFileSync(path), Buffer.alloc(20, 7)]));
  assert.deepEqual(entriesOf(path), [{ ...entries[0]!, high: 0 }]);
  file = new PauseFile(nodeDisk, path);
  file.add(entries[1]!, 0);
  file.close();
  assert.deepEqual(
    entriesOf(path).map(({ low }) => low),
    [0xffff_ffff, 2],
  );
});

test('a file that was cut or changed anywhere gives what stands before', (t) => {
  const path = join(temporaryDirectory(t), 'agent-0');
  const file = new PauseFile(nodeDisk, path);
  for (let i = 1; i <= 5; i++) file.add(granted(i, i * 20_000, 20_000), 0);
  file.close();
  const whole = readFileSync(path);
  for (let at = 0; at < whole.length; at++) {
    const before = at < 8 ? 0 : Math.floor((at - 8) / 28);
    writeFileSync(path, whole.subarray(0, at));
    assert.equal(entriesOf(path).length, before, `cut at ${at}`);
    const changed = Buffer.from(whole);
    changed[at]! ^= 1 << (at % 8);
    writeFileSync(path, changed);
    assert.equal(entriesOf(path).length, before, `changed at ${at}`);
  }
});

test('pauses that are over are left out, so the file stays as small as what still holds', (t) => {
  const path = join(temporaryDirectory(t), 'agent-0');
  const file = new PauseFile(nodeDisk, path);
  file.addShort(3000, 10_000);
  file.add(granted(1, 1e12, 1e9), 0);
  for (let now = 0; now < 50_000; now++) file.add(granted(2 + (now % 100), now + 1000, 11_000), now);
  file.close();
  assert.ok(statSync(path).size < 256 << 10, `${statSync(path).size} bytes`);
  assert.deepEqual(readdirSync(join(path, '..')), ['agent-0']);
  const entries = entriesOf(path);
  assert.ok(entries.some(({ low, until }) => low === 1 && until === 1e12));
  const last = entries.filter(({ until }) => until > 50_000);
  assert.equal(last.length, 1 + 999);
  assert.deepEqual(
    entries.filter(({ kind }) => kind === LONGEST).map(({ pause }) => pause),
    [4096],
  );
});

test('pauses that a full disk has no room for are written when there is some', (t) => {
  const path = join(temporaryDirectory(t), 'agent-0');
  let isFull = false;
  const disk: Disk = {
    ...nodeDisk,
    open(name, mode) {
      const file = nodeDisk.open(name, mode);
      return {
        read: (...how) => file.read(...how),
        write(from, start, end, position) {
          file.write(from, start, isFull ? start + ((end - start) >> 1) : end, position);
          if (isFull) throw Object.assign(new Error('no space left'), { code: 'ENOSPC' });
        },
        size: () => file.size(),
        truncate: (size) => file.truncate(size),
        sync: () => file.sync(),
        close: () => file.close(),
      };
    },
  };
  const file = new PauseFile(disk, path);
  // So much that compacting is due while there is no room.
  for (let i = 1; i <= 2400; i++) {
    isFull = i > 2000 && i % 500 !== 0;
    assert.equal(file.add(granted(i, 1e12 + i, 20_000), 0), !isFull);
  }
  isFull = false;
  assert.ok(file.add(granted(2401, 2e12, 20_000), 0));
  file.close();
  assert.deepEqual(
    entriesOf(path).map(({ low }) => low),
    Array.from({ length: 2401 }, (_, i) => i + 1),
  );
  assert.deepEqual(readdirSync(join(path, '..')), ['agent-0']);
});

test('short pauses are known by their longest', (t) => {
  const path = join(temporaryDirectory(t), 'agent-0');
  const file = new PauseFile(nodeDisk, path);
  for (const pause of [0, 100, 90, 128, 129, 9000, 50]) file.addShort(pause, 10_000);
  file.close();
  assert.deepEqual(
    entriesOf(path).map(({ pause }) => pause),
    [128, 256, 10_000],
  );
  assert.equal(longPause(0), 10_000);
  assert.equal(longPause(30_000), 30_000, 'every host rests as long as --host-delay');
});

test('what all agents left is gathered for the next run, also when that is killed at once', (t) => {
  const directory = join(temporaryDirectory(t), 'pauses');
  assert.equal(gatherPauses(nodeDisk, directory, 0), -1, 'nothing was granted before');
  for (const agent of [0, 1]) {
    const file = new PauseFile(nodeDisk, pauseFilePath(directory, agent));
    file.addShort(1000 * (agent + 1), 10_000);
    file.add(granted(10 + agent, 50_000, 20_000), 0);
    file.add(granted(20 + agent, 1000, 500), 0);
    // A request under way when the process was killed, and one that had been answered by then.
    file.add({ low: 30 + agent, high: 0, until: 45_000, pause: 15_000, kind: TAKEN }, 0);
    file.add({ low: 40 + agent, high: 0, until: 35_000, pause: 15_000, kind: TAKEN }, 0);
    file.close();
  }
  for (let again = 0; again < 2; again++) {
    assert.equal(gatherPauses(nodeDisk, directory, 40_000), 2048);
    assert.deepEqual(readdirSync(directory), ['earlier']);
    const rests = restsOf(earlierPausesPath(directory), 40_000).sort(([a], [b]) => a - b);
    assert.deepEqual(rests, [
      [10, 10_000],
      [11, 10_000],
      [30, 15_000],
      [31, 15_000],
    ]);
  }
});

test('a clock that was put back makes no pause longer than granted', (t) => {
  const directory = temporaryDirectory(t);
  mkdirSync(join(directory, 'pauses'));
  const path = join(directory, 'pauses', 'agent-0');
  const file = new PauseFile(nodeDisk, path);
  file.add(granted(1, 1e12, 20_000), 0);
  file.close();
  assert.deepEqual(restsOf(path, 0), [[1, 20_000]]);
});
