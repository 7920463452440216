/** Records through a ring between two threads, against `postMessage` of the same records, in the same run. */
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { Worker } from 'node:worker_threads';
import { nodeDisk } from '#drumline/model/disk.js';
import { allocateMesh, MeshEnd } from '#drumline/ring/mesh.js';

const RECORDS = 1_000_000;
const RECORD_BYTES = 90;
const ROUNDS = 5;
const RING_BYTES = 1 << 20;
const noSpill = { disk: nodeDisk, path: () => '', memoryBytes: 1 << 30 };
const ENTRY = fileURLToPath(new URL('./ring-receiver.js', import.meta.url));

async function throughRing(): Promise<number> {
  const mesh = allocateMesh(2, RING_BYTES);
  const worker = new Worker(ENTRY, { workerData: { mesh, records: RECORDS } });
  await once(worker, 'message');
  const end = new MeshEnd(mesh, 0, noSpill);
  const record = new Uint8Array(RECORD_BYTES).fill(7);
  const startedAt = performance.now();
  for (let i = 0; i < RECORDS; i++) {
    record[0] = i;
    end.send(1, record, 0, RECORD_BYTES);
    if (i % 64 === 63) {
      end.deliver();
      while (end.waiting > 0) {
        await end.bell.sleep(() => end.canDeliver);
        end.deliver();
      }
    }
  }
  end.deliver();
  await once(worker, 'message');
  return RECORDS / ((performance.now() - startedAt) / 1000);
}

async function throughMessages(): Promise<number> {
  const records = RECORDS / 5;
  const worker = new Worker(ENTRY, { workerData: { mesh: null, records } });
  await once(worker, 'message');
  const record = new Uint8Array(RECORD_BYTES).fill(7);
  const startedAt = performance.now();
  for (let i = 0; i < records; i++) {
    record[0] = i;
    worker.postMessage(record);
    if (i % 1024 === 1023) await new Promise(setImmediate);
  }
  await once(worker, 'message');
  return records / ((performance.now() - startedAt) / 1000);
}

export async function run(): Promise<void> {
  const ring: number[] = [];
  const messages: number[] = [];
  for (let i = 0; i < ROUNDS; i++) {
    ring.push(await throughRing());
    messages.push(await throughMessages());
  }
  const middle = (values: number[]): number => values.sort((a, b) => a - b)[Math.floor(values.length / 2)]!;
  const [a, b] = [middle(ring), middle(messages)];
  console.log(`records of ${RECORD_BYTES} bytes, ring of ${RING_BYTES} bytes, median of ${ROUNDS}, no seed`);
  console.log(`ring         ${Math.round(a).toLocaleString('en-US')} records/s`);
  console.log(`postMessage  ${Math.round(b).toLocaleString('en-US')} records/s`);
  console.log(`ratio        ${(a / b).toFixed(1)}`);
}
