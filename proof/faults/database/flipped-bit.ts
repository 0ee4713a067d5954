/** A disk fault. R29. */
import assert from 'node:assert/strict';
import { open } from 'node:fs/promises';
import { join } from 'node:path';
import { startPostgres } from '../../../packages/server/test/support/postgres.ts';
import { call } from '../../load/operator.ts';
import type { Rig } from '../rig.ts';
import type { Scenario } from '../scenario.ts';
import { runUnderLoad } from '../under-load.ts';
import { askDatabase } from './admin-session.ts';

const PAGE_SIZE = 8192;
/** The page header ends here. */
const FIRST_OFFSET = 24;

export const flippedBit: Scenario = {
  name: 'flipped-bit',
  promise:
    'one bit of a page of orders flipped: a request for one of its orders gets an error, never wrong data',
  count: 5,
  async run(run) {
    const postgres = await startPostgres({ durable: true, initdb: ['--data-checksums'] });
    return runUnderLoad(run, {
      rig: { postgres },
      async round({ rig, load, random }) {
        const sent = load.record.sent.find(({ outcome }) => outcome?.kind === 'ordered');
        assert.ok(sent?.outcome?.kind === 'ordered');
        const place = await findPage(rig, sent.outcome.order.id);
        const bit = { byte: random.between(FIRST_OFFSET, PAGE_SIZE - 1), mask: 1 << random.between(0, 7) };
        const path = `/export/v1/orders/${sent.outcome.order.id}`;
        const ask = () =>
          Promise.all(
            rig.urls().map(async (url) => (await call(url, { path, token: sent.buyer.token })).status),
          );

        await flipWhileStopped(rig, place, bit);
        await untilReachable(rig);
        for (const status of await ask()) assert.equal(status, 500);
        await flipWhileStopped(rig, place, bit);
        await untilReachable(rig);
        for (const status of await ask()) assert.equal(status, 200);
        return undefined;
      },
    });
  },
};

type Page = { readonly file: string; readonly start: number };

async function findPage(rig: Rig, orderId: string): Promise<Page> {
  const found = await askDatabase(
    rig.postgres.url,
    `SELECT current_setting('data_directory') AS folder, pg_relation_filepath('"order"') AS file,
       (ctid::text::point)[0]::int AS page FROM "order" WHERE id = $1`,
    [orderId],
  );
  return { file: join(found.folder, found.file), start: found.page * PAGE_SIZE };
}

/** A running server may have the page in memory and would write it again. */
async function flipWhileStopped(
  { postgres }: Rig,
  { file, start }: Page,
  { byte, mask }: { readonly byte: number; readonly mask: number },
): Promise<void> {
  await postgres.end('SIGINT');
  const handle = await open(file, 'r+');
  const page = Buffer.alloc(1);
  await handle.read(page, 0, 1, start + byte);
  page.writeUInt8(page.readUInt8(0) ^ mask);
  await handle.write(page, 0, 1, start + byte);
  await handle.close();
  await postgres.start();
}

/** Old connections turn out to be dead at their next use. */
async function untilReachable(rig: Rig): Promise<void> {
  for (const url of rig.urls()) {
    const token = rig.shop.buyers[0]?.token;
    const isDown = async () => (await call(url, { path: '/export/v1/account', token })).status !== 200;
    // One check for each connection that the node may have kept.
    for (let good = 0; good < 20; good += 1) while (await isDown()) good = 0;
  }
}
