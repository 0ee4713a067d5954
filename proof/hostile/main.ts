/**
 * `npm run test:proof -- fuzz --requests 200000 --engine postgres`. `--seed` and `--path` repeat a failure.
 */
import { parseArgs } from 'node:util';

const { values } = parseArgs({
  options: {
    requests: { type: 'string', default: '200000' },
    engine: { type: 'string', default: 'postgres' },
    seed: { type: 'string' },
    path: { type: 'string' },
  },
});
process.env['KEYPORT_TEST_ENGINE'] = values.engine;
// These modules read the engine when they load.
const { startWatchedService } = await import('./service.ts');
const { setStage } = await import('./stage.ts');
const { operate } = await import('../load/operator.ts');
const { fuzz } = await import('./fuzz.ts');

const cleanUps: (() => Promise<void>)[] = [];
const owner = { onTestFinished: (work: () => Promise<void>) => void cleanUps.push(work) };
const seed = Number(values.seed ?? Math.floor(Math.random() * 2 ** 31));
try {
  const service = await startWatchedService(owner);
  const stage = await setStage(service);
  console.log(`seed ${seed}, ${values.requests} requests, ${values.engine}`);
  const startedAtMs = performance.now();
  const result = await fuzz(service, stage, {
    requests: Number(values.requests),
    seed,
    path: values.path,
    progress: (text) => console.log(`  ${Math.round((performance.now() - startedAtMs) / 1000)} s: ${text}`),
  });
  const seconds = (performance.now() - startedAtMs) / 1000;
  console.log(
    `${result.sent} requests in ${Math.round(seconds)} s, the slowest ${Math.round(result.slowestMs)} ms`,
  );
  console.log(`responses ${JSON.stringify(result.statuses)}`);
  console.log(`succeeded at least once: ${[...result.reached].sort().join(', ')}`);
  const invariants = (await operate(service.url, 'GET', '/verify')) as { id: string; broken: number }[];
  const broken = invariants.filter((invariant) => invariant.broken > 0);
  if (broken.length > 0) console.log(`broken: ${JSON.stringify(broken)}`);
  if (result.failure !== undefined) console.log(result.failure);
  process.exitCode = result.failure === undefined && broken.length === 0 ? 0 : 1;
  console.log(process.exitCode === 0 ? 'passed' : 'failed');
} finally {
  for (const work of cleanUps.reverse()) await work();
}
