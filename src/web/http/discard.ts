/**
 * Gives a large buffer's memory back at once. V8 does so when it collects garbage, which large buffers hardly hasten: tens of
 * megabytes of them are left over in each thread before it begins. What is transferred belongs to its receiver, and where
 * that is closed, to nobody.
 */
import { MessageChannel } from 'node:worker_threads';

const { port1, port2 } = new MessageChannel();
port2.close();

/** Smaller ones are left to V8, and may be parts of what Node shares out. */
const LARGE = 64 * 1024;

/** REQUIRES: nobody uses the memory any more, and if it is large, it is the buffer's alone. */
export function discard(bytes: Uint8Array<ArrayBuffer>): void {
  if (bytes.length >= LARGE) port1.postMessage(null, [bytes.buffer]);
}
