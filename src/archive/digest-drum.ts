/**
 * Which payloads were stored, and where: a DRUM with the first 64 bits of the SHA-1 as key. A page is looked up at once,
 * which costs some 10 to 20 us, as its record is written right afterwards.
 *
 * | offset | size | name   | of a value                    |
 * |--------|------|--------|-------------------------------|
 * | 0      | 12   | digest | its other bytes               |
 * | 12     | 2    | agent  | whose file it is in           |
 * | 14     | 4    | serial | of the file                   |
 * | 18     | 6    | offset | of the record                 |
 */
import { Drum, DUPLICATE } from '../drum/drum.js';
import { DrumBatch } from '../drum/drum-batch.js';
import type { Disk } from '../model/disk.js';
import { isSamePlace, type StoredPlace } from '../store/page-store.js';
import type { KeptDigests } from './digest-counter.js';

const KEY_BYTES = 8;
const REST_BYTES = 12;
const AGENT = REST_BYTES;
const SERIAL = AGENT + 2;
const OFFSET = SERIAL + 4;
const VALUE_BYTES = OFFSET + 6;
const NOTHING = new Uint8Array(0);

export class DigestDrum implements KeptDigests {
  readonly #drum: Drum;
  readonly #batch = new DrumBatch(VALUE_BYTES);
  readonly #value = Buffer.alloc(VALUE_BYTES);
  readonly #found = Buffer.alloc(VALUE_BYTES);
  #isFound = false;

  /** Goes on from a manifest that was saved, if one is given. */
  constructor(disk: Disk, directory: string, memoryBytes: number, manifest: string | undefined) {
    const options = { disk, directory, memoryBytes, manifest, valueBytes: VALUE_BYTES };
    this.#drum = Drum.open(options, ({ outcomes, values }) => {
      this.#isFound = outcomes[0] === DUPLICATE;
      this.#found.set(values.subarray(0, VALUE_BYTES));
    });
  }

  announce(): void {}

  note(digest: Uint8Array, place: StoredPlace): void {
    this.#put(digest, place);
    this.#drum.checkUpdate(this.#batch);
  }

  /** Keys of what was stored when this was opened: the first eight bytes of the digests. REQUIRES: nothing was noted since. */
  forEachKey(visit: (first: number, second: number) => void): void {
    this.#drum.forEachKey((high, low) => visit(low, high));
  }

  find(digest: Uint8Array, place: StoredPlace, wrong: StoredPlace | null): StoredPlace | null {
    const found = this.#find(digest, place);
    if (found === null || wrong === null || !isSamePlace(found, wrong)) return found;
    this.#drum.update(this.#batch);
    this.#drum.flush();
    return null;
  }

  #find(digest: Uint8Array, place: StoredPlace): StoredPlace | null {
    // The answer is to be the first that comes.
    this.#drum.flush();
    this.#put(digest, place);
    this.#drum.checkUpdate(this.#batch);
    this.#drum.flush();
    const found = this.#found;
    // Two payloads may have 64 bits in common; the second one is then stored whenever it comes.
    const isSame = this.#isFound && this.#value.compare(found, 0, REST_BYTES, 0, REST_BYTES) === 0;
    if (!isSame) return null;
    return {
      agent: found.readUInt16LE(AGENT),
      serial: found.readUInt32LE(SERIAL),
      offset: found.readUIntLE(OFFSET, 6),
    };
  }

  #put(digest: Uint8Array, { agent, serial, offset }: StoredPlace): void {
    const view = new DataView(digest.buffer, digest.byteOffset, digest.length);
    const value = this.#value;
    value.set(digest.subarray(KEY_BYTES));
    value.writeUInt16LE(agent, AGENT);
    value.writeUInt32LE(serial, SERIAL);
    value.writeUIntLE(offset, OFFSET, 6);
    this.#batch.clear();
    this.#batch.addWithValue(view.getUint32(0), view.getUint32(4), value, NOTHING, 0, 0);
  }

  save(path: string): void {
    this.#drum.flush();
    this.#drum.save(path);
  }

  confirm(): void {
    this.#drum.confirm();
  }

  close(): void {
    this.#drum.close();
  }
}
