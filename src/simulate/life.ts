/** A made-up thread's or process's life: whatever it asks the world for may be the last thing it does. */
import type { Disk, DiskFile, OpenMode } from '../model/disk.js';

/** What is thrown at whoever still asks for something after its end. */
export class Ended extends Error {}

export class Life {
  readonly #onCall: () => void;
  readonly #onEnd: (reason: Error) => void;
  isOver = false;

  /** `onCall` may end it; `onEnd` is called once. */
  constructor(onCall: () => void, onEnd: (reason: Error) => void) {
    this.#onCall = onCall;
    this.#onEnd = onEnd;
  }

  end(reason: Error): void {
    if (this.isOver) return;
    this.isOver = true;
    this.#onEnd(reason);
  }

  /** REQUIRES: called before anything is had from the world. */
  touch(): void {
    if (!this.isOver) this.#onCall();
    if (this.isOver) throw new Ended('the thread or its process is gone');
  }

  /** A disk that answers while the life lasts. */
  disk(disk: Disk): Disk {
    const alive = <Arguments extends unknown[], Result>(call: (...args: Arguments) => Result) => {
      return (...args: Arguments): Result => {
        this.touch();
        return call(...args);
      };
    };
    return {
      open: (path: string, mode: OpenMode): DiskFile => {
        this.touch();
        const file = disk.open(path, mode);
        return {
          read: alive((...args) => file.read(...args)),
          write: alive((...args) => file.write(...args)),
          size: alive(() => file.size()),
          truncate: alive((size) => file.truncate(size)),
          sync: alive(() => file.sync()),
          close: alive(() => file.close()),
        };
      },
      exists: alive((path) => disk.exists(path)),
      list: alive((path) => disk.list(path)),
      makeDirectory: alive((path) => disk.makeDirectory(path)),
      rename: alive((from, to) => disk.rename(from, to)),
      remove: alive((path) => disk.remove(path)),
      syncDirectory: alive((path) => disk.syncDirectory(path)),
    };
  }
}
