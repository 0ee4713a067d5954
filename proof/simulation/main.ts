/**
 * `npm run test:proof -- simulation --seed 7 --steps 1000 --runs 3`: runs with successive seeds. A failing
 * run is shrunk to a command that repeats it.
 */
import { randomInt } from 'node:crypto';
import { parseArgs } from 'node:util';
import { makeEmptyDatabase } from './empty-database.ts';
import { generateOperations } from './operation.ts';
import { shrink } from './shrink.ts';
import { type RunResult, runSimulation } from './simulation.ts';

const PROGRESS_EVERY_MS = 2000;

const { values } = parseArgs({
  options: {
    seed: { type: 'string', default: String(randomInt(1_000_000)) },
    steps: { type: 'string', default: '1000' },
    runs: { type: 'string', default: '1' },
    /** Operations of the seed, by number from 0: the result of shrinking. */
    only: { type: 'string' },
    'keep-all': { type: 'boolean', default: false },
  },
});

const stepCount = parseCount('steps', values.steps);
const runCount = parseCount('runs', values.runs);
const only = values.only?.split(',').map((place) => parseCount('only', place, 0));
const firstSeed = runCount === 1 ? undefined : parseCount('seed', values.seed, 0);

const dump = await makeEmptyDatabase();
const totals = { steps: 0, faults: 0, orders: 0, failed: 0 };
for (let run = 0; run < runCount; run += 1) {
  const seed = firstSeed === undefined ? values.seed : String(firstSeed + run);
  const result = await runSeed(seed);
  totals.steps += result.stepCount;
  totals.faults += result.faultCount;
  totals.orders += result.orderCount;
  if (result.failure === undefined) continue;
  totals.failed += 1;
  process.exitCode = 1;
  await report(seed, result.failure);
}
if (runCount > 1) {
  console.log(
    `${runCount} seeds from ${values.seed}: ${totals.steps} steps, ${totals.faults} faults, ${totals.orders} orders, ${totals.failed} failed`,
  );
}

async function runSeed(seed: string): Promise<RunResult> {
  const all = generateOperations(seed, stepCount);
  const operations = all.filter((_, place) => only === undefined || only.includes(place));
  const startedAt = performance.now();
  let printedAt = startedAt;
  const onStep = (step: number) => {
    if (performance.now() - printedAt < PROGRESS_EVERY_MS) return;
    printedAt = performance.now();
    console.log(`seed ${seed}: ${step} of ${operations.length} steps, ${rate(step, startedAt)}`);
  };
  const result = await runSimulation({ seed, operations, dump, onStep });
  const { stepCount: steps, orderCount, faultCount, hash } = result;
  const outcome = result.failure === undefined ? 'passed' : 'FAILED';
  console.log(
    `seed ${seed}: ${outcome}, ${steps} steps (${rate(steps, startedAt)}), ${orderCount} orders, ${faultCount} faults, hash ${hash.slice(0, 16)}`,
  );
  return result;
}

async function report(seed: string, failure: { step: number; message: string }): Promise<void> {
  console.log(`\nAfter operation ${failure.step}:\n${failure.message}\n`);
  const operations = generateOperations(seed, stepCount);
  const places = only ?? operations.map((_, place) => place);
  const upTo = places.slice(0, failure.step + 1);
  const kept = values['keep-all'] ? upTo : await shrink({ seed, operations, places: upTo, dump });
  for (const place of kept) console.log(`${place}: ${JSON.stringify(operations[place])}`);
  console.log(
    `\nTo repeat: npm run test:proof -- simulation --seed ${seed} --steps ${stepCount} --only ${kept.join(',')}`,
  );
}

function rate(steps: number, startedAt: number): string {
  return `${Math.round((steps / (performance.now() - startedAt)) * 1000)} steps/s`;
}

function parseCount(name: string, text: string, min = 1): number {
  const count = Number(text);
  if (Number.isSafeInteger(count) && count >= min) return count;
  throw new Error(`--${name} is a whole number from ${min}, not ${text}`);
}
