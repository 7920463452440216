/** A disk in memory that knows how many files were open at a time. */
import type { Disk, DiskFile } from '#drumline/model/disk.js';
import { MemoryDisk } from '#drumline/simulate/memory-disk.js';

export class CountingDisk extends MemoryDisk {
  mostOpenFiles = 0;

  override open(...how: Parameters<Disk['open']>): DiskFile {
    const file = super.open(...how);
    this.mostOpenFiles = Math.max(this.mostOpenFiles, this.openFiles);
    return file;
  }
}
