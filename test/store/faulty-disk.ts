/** A disk whose writes fail when told to, after half of the bytes went to the file. */
import { type Disk, type DiskFile, nodeDisk } from '#drumline/model/disk.js';
import { DrumlineError } from '#drumline/model/errors.js';

export class FaultyDisk implements Disk {
  /** The code that every write fails with; '' for none. */
  code = '';
  /** Writes that succeed before. */
  writesLeft = 0;
  canTruncate = true;
  readonly list = nodeDisk.list;
  readonly exists = nodeDisk.exists;
  readonly makeDirectory = nodeDisk.makeDirectory;
  readonly rename = nodeDisk.rename;
  readonly remove = nodeDisk.remove;
  readonly syncDirectory = nodeDisk.syncDirectory;

  open(path: string, mode: Parameters<Disk['open']>[1]): DiskFile {
    const file = nodeDisk.open(path, mode);
    return {
      read: (into, start, end, position) => file.read(into, start, end, position),
      write: (from, start, end, position) => {
        if (this.code === '' || this.writesLeft-- > 0) file.write(from, start, end, position);
        else {
          file.write(from, start, start + ((end - start) >>> 1), position);
          throw this.#fault();
        }
      },
      size: () => file.size(),
      truncate: (size) => {
        if (!this.canTruncate) throw this.#fault();
        file.truncate(size);
      },
      sync: () => file.sync(),
      close: () => file.close(),
    };
  }

  /** As the system's errors come out of `nodeDisk`. */
  #fault(): DrumlineError {
    const cause = Object.assign(new Error(this.code), { code: this.code });
    return new DrumlineError('DISK', this.code, 'fatal', { cause });
  }
}
