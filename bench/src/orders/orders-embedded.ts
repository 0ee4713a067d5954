/**
 * Orders on the embedded engine, against one transaction per order in plain SQL. Only one process at a time
 * can use the engine, so the service is stopped while the baseline runs.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openDatabase } from '@keyport/server/db/engines/database';
import { alternate, report } from '../report.ts';
import { runOneByOne } from './one-by-one.ts';
import { openOrderShop } from './order-shop.ts';
import { reportReads } from './orders.ts';

const ROUND_MS = 4000;

export async function benchOrdersEmbedded(): Promise<void> {
  const dataDir = await mkdtemp(join(tmpdir(), 'keyport-bench-'));
  const shop = await openOrderShop({ dataDir });
  try {
    const oneByOne = async () => {
      await shop.stop();
      const database = await openDatabase({ url: undefined, dataDir });
      const connect = async () => {
        const client = await database.connect();
        return { client, close: () => client.release() };
      };
      const result = await runOneByOne({ connect, connections: 1, ...shop }, ROUND_MS);
      await database.close();
      await shop.start();
      await shop.order(64, 1000);
      return result;
    };
    for (const callers of [64, 256]) {
      const rounds = await alternate(2, { ours: () => shop.order(callers, ROUND_MS), baseline: oneByOne });
      const names = { baseline: 'one transaction each', ours: 'Keyport, group commit' };
      report(`Orders on the embedded engine, ${callers} callers over HTTP`, names, rounds, 5);
    }
    await reportReads(shop);
  } finally {
    await shop.stop();
    await rm(dataDir, { recursive: true, force: true });
  }
}
