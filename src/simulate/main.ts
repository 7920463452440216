/**
 * `npm run simulate -- --seed N [--trace]`: one crawl, told event by event if asked for.
 * `npm run simulate -- --seeds N [--from S] [--cores C]`: many, and what occurred in them.
 */
import { fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { complain, print } from '../model/terminal.js';
import { addTally, newTally, simulateSeeds, type Tally, tallyLines } from './many-seeds.js';
import { KNOWN_EVENTS, simulateCrawl } from './simulate-crawl.js';

const { values } = parseArgs({
  options: {
    seed: { type: 'string' },
    seeds: { type: 'string', default: '200' },
    from: { type: 'string', default: '1' },
    cores: { type: 'string', default: '1' },
    step: { type: 'string', default: '1' },
    trace: { type: 'boolean', default: false },
  },
});

function wholeNumber(name: 'seed' | 'seeds' | 'from' | 'cores' | 'step'): number {
  const number = Number(values[name]);
  if (Number.isSafeInteger(number) && number > 0) return number;
  complain(`--${name} takes a whole number from 1, got '${values[name]}'`);
  process.exit(2);
}

const tell = (seed: number, reason: string): void => print(`seed ${seed}: ${reason}`);

if (values.seed !== undefined) await one(wholeNumber('seed'));
else if (process.send !== undefined)
  process.send(
    await simulateSeeds(
      { first: wholeNumber('from'), count: wholeNumber('seeds'), step: wholeNumber('step') },
      tell,
    ),
  );
else await many(wholeNumber('from'), wholeNumber('seeds'), wholeNumber('cores'));

async function one(seed: number): Promise<void> {
  const { pages, plan, trace } = await simulateCrawl(seed, values.trace ? print : null);
  print(JSON.stringify(plan));
  for (const [name, times] of trace.counts) print(`${name}  ${times}`);
  print(`${pages} pages, decisions ${trace.hash}`);
}

/** Each core has a process of its own, and every so-manieth seed. */
async function many(first: number, count: number, cores: number): Promise<void> {
  const sum = newTally();
  const shares = Array.from({ length: cores }, (_, i) => Math.floor((count - i + cores - 1) / cores));
  const parts = shares.map((share, i) =>
    share === 0
      ? newTally()
      : cores === 1
        ? simulateSeeds({ first, count, step: 1 }, tell)
        : forked(first + i, share, cores),
  );
  for (const part of await Promise.all(parts)) addTally(sum, part);
  for (const line of tallyLines(sum, KNOWN_EVENTS)) print(line);
  process.exitCode = sum.failures.length === 0 ? 0 : 1;
}

function forked(from: number, seeds: number, step: number): Promise<Tally> {
  const numbers = { from, seeds, step };
  const child = fork(
    fileURLToPath(import.meta.url),
    Object.entries(numbers).flatMap(([name, value]) => [`--${name}`, `${value}`]),
  );
  return new Promise((resolve, reject) => {
    let tally: Tally | null = null;
    child.on('message', (message) => {
      tally = message as Tally;
      child.disconnect();
    });
    child.on('exit', () =>
      tally === null ? reject(new Error(`the process from seed ${from} ended early`)) : resolve(tally),
    );
  });
}
