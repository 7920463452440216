/** The receiving thread of the ring benchmark. */
import { parentPort, workerData } from 'node:worker_threads';
import { nodeDisk } from '#drumline/model/disk.js';
import { MeshEnd, type MeshMemory } from '#drumline/ring/mesh.js';

const { mesh, records } = workerData as { mesh: MeshMemory | null; records: number };
let sum = 0;
let left = records;

if (mesh === null) {
  parentPort!.on('message', (record: Uint8Array) => {
    sum += record[0]!;
    if (--left === 0) {
      parentPort!.postMessage(sum);
      parentPort!.close();
    }
  });
  parentPort!.postMessage('ready');
} else {
  const end = new MeshEnd(mesh, 1, { disk: nodeDisk, path: () => '', memoryBytes: 1 << 20 });
  parentPort!.postMessage('ready');
  while (left > 0) {
    left -= end.receive(4096, (bytes, start) => {
      sum += bytes[start]!;
    });
    if (left > 0) await end.bell.sleep(() => end.hasMail);
  }
  parentPort!.postMessage(sum);
}
