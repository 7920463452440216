import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestContext } from 'node:test';

/** A directory that is gone when the test is over. */
export function temporaryDirectory(t: TestContext): string {
  const directory = mkdtempSync(join(tmpdir(), 'drumline-web-'));
  t.after(() => rmSync(directory, { recursive: true, force: true }));
  return directory;
}
