/**
 * Which payloads an agent stored, and where: a DRUM with the first 64 bits of the SHA-1 as key. A page is looked up at
 * once, which costs some 10 to 20 us, as its record is written right afterwards.
 *
 * | offset | size | name   | of a value                    |
 * |--------|------|--------|-------------------------------|
 * | 0      | 12   | digest | its other bytes               |
 * | 12     | 4    | serial | of the file                   |
 * | 16     | 6    | offset | of the record                 |
 */
import { Drum, DUPLICATE } from '../drum/drum.js';
import { DrumBatch } from '../drum/drum-batch.js';
import type { Disk } from '../model/disk.js';
import type { StoredDigests } from '../store/page-store.js';

const KEY_BYTES = 8;
const REST_BYTES = 12;
const SERIAL = REST_BYTES;
const OFFSET = SERIAL + 4;
const VALUE_BYTES = OFFSET + 6;
const NOTHING = new Uint8Array(0);

export class DigestDrum implements StoredDigests {
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

  find(digest: Uint8Array, serial: number, offset: number): { serial: number; offset: number } | null {
    const view = new DataView(digest.buffer, digest.byteOffset, digest.length);
    const value = this.#value;
    value.set(digest.subarray(KEY_BYTES));
    value.writeUInt32LE(serial, SERIAL);
    value.writeUIntLE(offset, OFFSET, 6);
    this.#batch.clear();
    this.#batch.addWithValue(view.getUint32(0), view.getUint32(4), value, NOTHING, 0, 0);
    this.#drum.checkUpdate(this.#batch);
    this.#drum.flush();
    // Two payloads may have 64 bits in common; the second one is then stored whenever it comes.
    const isSame = this.#isFound && value.compare(this.#found, 0, REST_BYTES, 0, REST_BYTES) === 0;
    if (!isSame) return null;
    return { serial: this.#found.readUInt32LE(SERIAL), offset: this.#found.readUIntLE(OFFSET, 6) };
  }

  save(path: string): void {
    this.#drum.save(path);
  }

  confirm(): void {
    this.#drum.confirm();
  }

  close(): void {
    this.#drum.close();
  }
}
