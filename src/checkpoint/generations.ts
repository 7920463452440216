/**
 * Checkpoints of a crawl, by generation: each is a directory of its own, and `CURRENT` names the last one that is whole.
 *
 * ```
 * drumline-checkpoint 3 00000007 9f0c1a22     format and version, generation, CRC-32 of what stands before it
 * ```
 */
import { join } from 'node:path';
import { crc32 } from 'node:zlib';
import type { CrawlDirectory } from '../model/crawl-directory.js';
import { type Disk, readWhole, replaceFile } from '../model/disk.js';
import { DamagedFileError, DrumlineError } from '../model/errors.js';
import { CheckpointFiles, generationOf } from './checkpoint-files.js';
import { writeManifest } from './manifest.js';

const FORMAT = 'drumline-checkpoint';
const VERSION = '3';

export class Generations {
  readonly #disk: Disk;
  readonly #crawl: CrawlDirectory;

  constructor(disk: Disk, crawl: CrawlDirectory) {
    this.#disk = disk;
    this.#crawl = crawl;
  }

  /** The last whole checkpoint's generation; 0 if there is none. */
  current(): number {
    const path = this.#crawl.current;
    if (!this.#disk.exists(path)) return this.#lastWithManifest();
    const text = new TextDecoder('latin1').decode(readWhole(this.#disk, path)).trimEnd();
    const [format, version, generation, sum] = text.split(' ');
    const isWhole = format === FORMAT && sum === checksum(`${format} ${version} ${generation}`);
    if (!isWhole) throw new DamagedFileError(path, 0, 'not the line of a checkpoint');
    if (version !== VERSION)
      throw new DrumlineError(
        'FORMAT',
        `${path}: a checkpoint of version ${version}, this program reads version ${VERSION}; go on with the program that made it`,
      );
    return Number(generation);
  }

  /** Makes the directory of a generation, without anything that an interrupted try left there. */
  begin(generation: number): CheckpointFiles {
    const files = new CheckpointFiles(this.#crawl, generation);
    this.#disk.remove(files.directory);
    this.#disk.makeDirectory(files.directory);
    return files;
  }

  /** Makes a generation the current one. REQUIRES: all its files are durable. */
  commit(generation: number): void {
    const files = new CheckpointFiles(this.#crawl, generation);
    this.#disk.syncDirectory(files.directory);
    writeManifest(this.#disk, this.#crawl, files);
    this.#disk.syncDirectory(this.#crawl.path);
    const line = `${FORMAT} ${VERSION} ${String(generation).padStart(8, '0')}`;
    replaceFile(this.#disk, this.#crawl.current, `${line} ${checksum(line)}\n`);
    this.removeOthers(generation);
  }

  /** Where `CURRENT` was lost: a checkpoint with a manifest is whole. */
  #lastWithManifest(): number {
    const generations = this.#disk.list(this.#crawl.path).map(generationOf);
    return generations.reduce(
      (last, each) =>
        each > last && this.#disk.exists(new CheckpointFiles(this.#crawl, each).manifest) ? each : last,
      0,
    );
  }

  /** Removes the checkpoints of all other generations. */
  removeOthers(generation: number): void {
    for (const name of this.#disk.list(this.#crawl.path)) {
      const other = generationOf(name);
      if (other !== 0 && other !== generation) this.#disk.remove(join(this.#crawl.path, name));
    }
  }

  /** The crawl is over: there is nothing to go on from. */
  removeAll(): void {
    this.#disk.remove(this.#crawl.current);
    this.removeOthers(0);
  }
}

function checksum(text: string): string {
  return crc32(Buffer.from(text, 'latin1')).toString(16).padStart(8, '0');
}
