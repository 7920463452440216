/**
 * The states of the sites that a frontier does not hold in memory: a table in a file, found by the site's key with
 * linear probing. A read or write of one slot is all that a look-up costs, mostly from the system's page cache. It
 * belongs to one run of the crawler and is written anew by the next.
 *
 * | slot offset | size | name                                  |
 * |-------------|------|---------------------------------------|
 * | 0           | 8    | key, low half first                   |
 * | 8           | 8    | head, a double                        |
 * | 16          | 8    | tail, a double                        |
 * | 24          | 8    | readyAt, a double                     |
 * | 32          | 4    | count                                 |
 * | 36          | 4    | pages                                 |
 * | 40          | 2    | failures                              |
 * | 42          | 1    | phase                                 |
 * | 43          | 1    | 1: taken                              |
 * | 44          | 4    | address, IPv4                         |
 * | 48          | 1    | bytes of the address, IPv6            |
 * | 49          | 39   | its text                              |
 *
 * At most half of the slots are taken, so probes are short.
 */
import { dirname } from 'node:path';
import type { Disk, DiskFile } from '../model/disk.js';
import type { SiteStates } from './site-states.js';

const SLOT = 88;
const TAKEN = 43;
const FIRST_SLOTS = 1024;
const GROWTH = 4;

export class SiteLedger {
  readonly #disk: Disk;
  readonly #path: string;
  #file: DiskFile | null = null;
  #slots = 0;
  #taken = 0;
  readonly #bytes = Buffer.alloc(SLOT);

  constructor(disk: Disk, path: string) {
    this.#disk = disk;
    this.#path = path;
  }

  /** Fills the columns of `site` from the slot of a key; false if there is none. */
  load(states: SiteStates, site: number, low: number, high: number): boolean {
    if (this.#taken === 0) return false;
    const bytes = this.#bytes;
    this.#probe(low, high);
    if (bytes[TAKEN] === 0) return false;
    states.head[site] = bytes.readDoubleLE(8);
    states.tail[site] = bytes.readDoubleLE(16);
    states.readyAt[site] = bytes.readDoubleLE(24);
    states.count[site] = bytes.readUInt32LE(32);
    states.pages[site] = bytes.readUInt32LE(36);
    states.failures[site] = bytes.readUInt16LE(40);
    states.phase[site] = bytes[42]!;
    states.address[site] = bytes.readUInt32LE(44);
    const length = bytes[48]!;
    if (length > 0) states.longAddresses.set(site, bytes.toString('latin1', 49, 49 + length));
    return true;
  }

  /** Writes the columns of `site` to the slot of its key. */
  save(states: SiteStates, site: number): void {
    if (2 * (this.#taken + 1) > this.#slots) this.#grow();
    const bytes = this.#bytes;
    const low = states.keyLow[site]!;
    const high = states.keyHigh[site]!;
    const position = this.#probe(low, high);
    if (bytes[TAKEN] === 0) this.#taken++;
    bytes.writeUInt32LE(low, 0);
    bytes.writeUInt32LE(high, 4);
    bytes.writeDoubleLE(states.head[site]!, 8);
    bytes.writeDoubleLE(states.tail[site]!, 16);
    bytes.writeDoubleLE(states.readyAt[site]!, 24);
    bytes.writeUInt32LE(states.count[site]!, 32);
    bytes.writeUInt32LE(states.pages[site]!, 36);
    bytes.writeUInt16LE(states.failures[site]!, 40);
    bytes[42] = states.phase[site]!;
    bytes[TAKEN] = 1;
    bytes.writeUInt32LE(states.address[site]!, 44);
    bytes[48] = bytes.write(states.longAddresses.get(site) ?? '', 49, 'latin1');
    this.#file!.write(bytes, 0, SLOT, position);
  }

  close(): void {
    this.#file?.close();
    this.#file = null;
    this.#disk.remove(this.#path);
  }

  /** Reads the slot of a key, or the free one where it would go; returns its position. */
  #probe(low: number, high: number): number {
    const bytes = this.#bytes;
    for (let slot = low & (this.#slots - 1); ; slot = (slot + 1) & (this.#slots - 1)) {
      const position = slot * SLOT;
      // Beyond the end of the file every slot is free.
      bytes.fill(0, this.#file!.read(bytes, 0, SLOT, position));
      if (bytes[TAKEN] === 0 || (bytes.readUInt32LE(0) === low && bytes.readUInt32LE(4) === high))
        return position;
    }
  }

  #grow(): void {
    const old = this.#file;
    const oldSlots = this.#slots;
    this.#disk.makeDirectory(dirname(this.#path));
    // The old table stays readable through its handle when its name is gone.
    this.#disk.remove(this.#path);
    this.#file = this.#disk.open(this.#path, 'create');
    this.#slots = old === null ? FIRST_SLOTS : GROWTH * oldSlots;
    if (old === null) return;
    const slot = Buffer.alloc(SLOT);
    for (let i = 0; i < oldSlots; i++) {
      if (old.read(slot, 0, SLOT, i * SLOT) < SLOT) break;
      if (slot[TAKEN] === 0) continue;
      this.#file.write(slot, 0, SLOT, this.#probe(slot.readUInt32LE(0), slot.readUInt32LE(4)));
    }
    old.close();
  }
}
