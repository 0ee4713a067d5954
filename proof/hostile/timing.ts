/**
 * `npm run test:proof -- timing`: whether response times distinguish another reseller's order from one that
 * never existed. Prints Welch's t; below 4.5, there is no difference.
 */
process.env['KEYPORT_TEST_ENGINE'] ??= 'postgres';
// These modules read the engine when they load.
const { startWatchedService } = await import('./service.ts');
const { setStage } = await import('./stage.ts');

const PAIRS = 5_000;

/** The machine, not the service, causes the slowest tenth. */
const KEPT_SHARE = 0.9;

const cleanUps: (() => Promise<void>)[] = [];
try {
  const service = await startWatchedService(
    { onTestFinished: (work) => void cleanUps.push(work) },
    { KEYPORT_LOG_LEVEL: 'warn' },
  );
  const stage = await setStage(service);
  const headers = { authorization: `Bearer ${stage.own.token}` };
  const read = (path: string) => () => fetch(`${service.url}${path}`, { headers });
  const foreign = (index: number) => stage.other.orderIds[index % stage.other.orderIds.length] ?? '';
  const absent = (index: number) => `${foreign(index).slice(0, -3)}${String(index % 1000).padStart(3, '0')}`;
  for (const suffix of ['', '/keys']) {
    await compare(
      `order of another reseller, or of none${suffix}`,
      (index) => read(`/export/v1/orders/${foreign(index)}${suffix}`),
      (index) => read(`/export/v1/orders/${absent(index)}${suffix}`),
    );
  }
  await compare(
    'history by an order of another reseller, or by none',
    (index) => read(`/export/v1/orders?orderId=${foreign(index)}`),
    (index) => read(`/export/v1/orders?orderId=${absent(index)}`),
  );
} finally {
  for (const work of cleanUps.reverse()) await work();
}

async function compare(
  what: string,
  one: (index: number) => () => Promise<Response>,
  other: (index: number) => () => Promise<Response>,
): Promise<void> {
  const times: [number[], number[]] = [[], []];
  for (let index = 0; index < PAIRS; index += 1) {
    // The order alternates, so that neither side profits from a warmer machine.
    const order = index % 2 === 0 ? ([0, 1] as const) : ([1, 0] as const);
    for (const which of order) {
      const send = (which === 0 ? one : other)(index);
      const startedAtMs = performance.now();
      await (await send()).arrayBuffer();
      times[which].push(performance.now() - startedAtMs);
    }
  }
  const [left, right] = times.map(describe);
  if (left === undefined || right === undefined) return;
  const t = (left.mean - right.mean) / Math.sqrt(left.variance / left.count + right.variance / right.count);
  console.log(`${what}: ${left.mean.toFixed(4)} and ${right.mean.toFixed(4)} ms, t = ${t.toFixed(2)}`);
}

function describe(times: readonly number[]): { mean: number; variance: number; count: number } {
  const kept = times.toSorted((a, b) => a - b).slice(0, Math.floor(times.length * KEPT_SHARE));
  const mean = kept.reduce((sum, time) => sum + time, 0) / kept.length;
  const variance = kept.reduce((sum, time) => sum + (time - mean) ** 2, 0) / (kept.length - 1);
  return { mean, variance, count: kept.length };
}
