import { setTimeout as sleep } from 'node:timers/promises';
import { onEnd } from '../../../packages/server/test/support/database.ts';
import { startPostgres } from '../../../packages/server/test/support/postgres.ts';
import { postgresIsMissing } from '../cuts/cuts.ts';
import { openCutProxy, type Pace } from '../cuts/cuts-proxy.ts';
import { openRig } from '../rig.ts';
import { type Report, randomDelayMs, type Scenario } from '../scenario.ts';

const PACES: readonly (readonly [name: string, pace: Pace])[] = [
  ['fast', {}],
  ['far', { latencyMs: 40 }],
  ['very far', { latencyMs: 250 }],
  ['narrow', { bytesPerSecond: 200_000, pieceBytes: 1400 }],
  ['in single bytes', { pieceBytes: 1 }],
  ['far and narrow', { latencyMs: 60, bytesPerSecond: 100_000, pieceBytes: 500 }],
];

/** Long enough to recreate every connection a few times. */
const EACH_MIN_MS = 3000;
const DELAY_MAX_MS = 2000;

export const slowNetwork: Scenario = {
  name: 'slow-network',
  promise: 'a slow network between the nodes and PostgreSQL under load: no response is wrong',
  count: PACES.length * 5,
  obstacle: postgresIsMissing,
  async run({ owner, count, seed, random, progress }): Promise<Report> {
    const postgres = await startPostgres({ durable: true });
    onEnd(owner, () => postgres.stop());
    const proxy = await openCutProxy(owner, postgres.url, { opens: () => false, stallMaxMs: 0, lateMs: 0 });
    const rig = await openRig({ owner, seed, postgres, databaseUrl: proxy.url });
    const load = rig.startLoad();
    const ordersAtPace: Record<string, number> = {};
    for (let round = 0; round < count; round += 1) {
      const [name, pace] = PACES[round % PACES.length] ?? ['fast', {}];
      proxy.setPace(pace);
      // Connections keep the pace that they began with.
      proxy.drop();
      const sentBefore = load.record.sent.length;
      await sleep(EACH_MIN_MS + randomDelayMs(random, DELAY_MAX_MS));
      await load.orderPlaced();
      ordersAtPace[name] = (ordersAtPace[name] ?? 0) + load.record.sent.length - sentBefore;
      progress(`${name}: ${load.record.sent.length} orders sent so far`);
    }
    proxy.setPace({});
    proxy.drop();
    await load.orderPlaced();
    const audited = await rig.audit(load);
    return { rounds: count, ordersAtPace, ...audited, ...load.record.summary() };
  },
};
