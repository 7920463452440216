/** The program as a process, while servers of the test's own answer it. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';

const MAIN = fileURLToPath(import.meta.resolve('#drumline/main.js'));

export interface Ended {
  readonly status: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Without a contact in the environment, unless there is one here. */
export async function runDrumline(words: readonly string[], contact?: string): Promise<Ended> {
  const { DRUMLINE_CONTACT: _, ...rest } = process.env;
  const env = contact === undefined ? rest : { ...rest, DRUMLINE_CONTACT: contact };
  const child = spawn(process.execPath, [MAIN, ...words], { env });
  const [stdout, stderr, [status]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, 'exit'),
  ]);
  return { status: status as number, stdout, stderr };
}
