/** Makes pages.txt of its parts, which stay. */
import type { CrawlDirectory } from '../model/crawl-directory.js';
import type { Disk } from '../model/disk.js';

const BUFFER_BYTES = 1 << 18;

export function joinPageLists(disk: Disk, directory: CrawlDirectory): void {
  const joined = `${directory.pageList}.new`;
  const target = disk.open(joined, 'create');
  try {
    const buffer = new Uint8Array(BUFFER_BYTES);
    let written = 0;
    for (const { path } of directory.pageListParts(disk.list(directory.path))) {
      const part = disk.open(path, 'read');
      try {
        for (let position = 0; ; ) {
          const read = part.read(buffer, 0, BUFFER_BYTES, position);
          if (read === 0) break;
          target.write(buffer, 0, read, written);
          position += read;
          written += read;
        }
      } finally {
        part.close();
      }
    }
    target.sync();
  } finally {
    target.close();
  }
  disk.rename(joined, directory.pageList);
  disk.syncDirectory(directory.path);
}
