/** Stores pages until it is killed, and says which were acknowledged. Arguments: directory, first page. */
import { writeSync } from 'node:fs';
import { exchange, livePage } from './exchanges.js';
import { openStore } from './open-store.js';

const [directory, first] = process.argv.slice(2);
const store = openStore(directory!, { maxBytes: 300_000 });
for (let i = Number(first); ; i++) {
  const page = livePage(200, [], `page ${i} `.repeat(1 + ((i * 7919) % 3000)));
  store.store(exchange(`http://a.example/${i}`, page), ({ file, offset }) =>
    writeSync(1, `${i} ${file} ${offset}\n`),
  );
}
