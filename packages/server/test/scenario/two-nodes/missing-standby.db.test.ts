/**
 * Ending or canceling a session that waits for the standby leaves its transaction committed only on the
 * leader. R28, A160.
 */
import { equal, fail } from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { test } from 'vitest';
import { connectTo, type Owner, onEnd, testEngine } from '../../support/database.ts';
import type { ApiResponse } from '../../support/harness.ts';
import { manual } from '../../support/harness.ts';
import { startPostgres } from '../../support/postgres.ts';
import { providerSettings, startAdapterProvider } from '../../support/providers/configured.ts';
import { startTwoNodes } from '../../support/two-nodes.ts';
import { skipBecause, wholeFile } from '../../support/vitest.ts';

const LOOK_INTERVAL_MS = 20;

async function startCluster(owner: Owner, settings: Record<string, string> = {}) {
  const postgres = await startPostgres({ durable: true });
  onEnd(owner, () => postgres.stop());
  const { h, nodes } = await startTwoNodes(owner, settings, {
    database: { url: postgres.url, dataDir: 'memory' },
  });
  const operator = await connectTo(owner, postgres.url);
  const waitForStandby = async (name: string) => {
    await operator.query(`ALTER SYSTEM SET synchronous_standby_names = '${name}'`);
    await operator.query('SELECT pg_reload_conf()');
  };
  /** Returns the session that waits for the standby and holds `lock`; fails if the response comes first. */
  const waitingSession = async (
    response: Promise<ApiResponse>,
    lock: string,
    values: unknown[],
  ): Promise<number> => {
    const early = response.then(({ status }) => fail(`got ${status} without a standby`));
    // The response can arrive when no code waits for it any more.
    early.catch(() => {});
    for (;;) {
      const { rows } = await operator.query(
        `SELECT activity.pid FROM pg_stat_activity AS activity JOIN pg_locks USING (pid)
          WHERE wait_event = 'SyncRep' AND granted AND ${lock}`,
        values,
      );
      if (rows.length > 0) return rows[0].pid;
      await Promise.race([early, sleep(LOOK_INTERVAL_MS)]);
    }
  };
  return { h, nodes, operator, waitForStandby, waitingSession };
}

const skip = testEngine === 'embedded' && 'the embedded engine has no standbys';

test('an order that only the leader holds is acknowledged by no node until a standby has it', async (t) => {
  skipBecause(t, skip);
  const { h, nodes, operator, waitForStandby, ...cluster } = await startCluster(wholeFile);
  const reseller = await h.seed.reseller({ balance: '100.00' });
  const { offerId } = await h.seed.listing({ price: '10.00' });
  const key = randomUUID();
  const ended: number[] = [];
  const order = (url: string) => reseller.at(url).order(manual(offerId), key);
  const waitingSession = (response: Promise<ApiResponse>) =>
    cluster.waitingSession(
      response,
      `locktype = 'advisory' AND pid <> ALL ($3)
        AND (classid::bigint << 32 | objid::bigint) = uuid_hash_extended($2, uuid_hash_extended($1, 0))`,
      [reseller.accountId, key, ended],
    );
  const endSession = async (pid: number) => {
    ended.push(pid);
    await operator.query('SELECT pg_terminate_backend($1)', [pid]);
  };

  await waitForStandby('missing');
  const first = order(nodes[0].url);
  await endSession(await waitingSession(first));
  // The node now looks up what happened to its commit.
  await endSession(await waitingSession(first));
  equal((await first).status, 503);

  const interrupted = order(nodes[1].url);
  await endSession(await waitingSession(interrupted));
  equal((await interrupted).status, 503);

  // A canceled wait ends with a committed transaction and a warning that the standby may not have it.
  const canceled = order(nodes[1].url);
  const canceledPid = await waitingSession(canceled);
  ended.push(canceledPid);
  await operator.query('SELECT pg_cancel_backend($1)', [canceledPid]);
  equal((await canceled).status, 503);

  const repeat = order(nodes[1].url);
  await waitingSession(repeat);
  await waitForStandby('');
  equal((await repeat).status, 200);
});

test('a payment settled by another node, and held only by the leader, is not acknowledged until a standby has it', async (t) => {
  skipBecause(t, skip);
  const provider = await startAdapterProvider(wholeFile, 'http');
  const settings = { ...providerSettings('http', provider.url), KEYPORT_GATEWAY_TIMEOUT_MS: '60000' };
  const { h, nodes, operator, waitForStandby, waitingSession } = await startCluster(wholeFile, settings);
  const reseller = await h.seed.reseller({
    account: { paymentMethod: 'gateway', gatewayCustomer: 'cus_pending' },
  });
  const { offerId } = await h.seed.listing({ price: '10.00' });
  const settlingSession = (response: Promise<ApiResponse>) =>
    waitingSession(response, `relation = 'gateway_payment'::regclass AND mode = 'RowExclusiveLock'`, []);
  const until = async (isSo: () => boolean) => {
    while (!isSo()) await sleep(LOOK_INTERVAL_MS);
  };

  provider.pause();
  const placed = reseller.at(nodes[0].url).order(manual(offerId));
  await until(() => provider.waitingCount('POST') === 1);
  const { rows } = await operator.query(
    'UPDATE gateway_payment SET next_check_at = now() RETURNING order_id',
  );
  const worked = nodes[1].runOrderWorker().then(() => nodes[1].runOrderWorker());
  await until(() => provider.waitingCount('GET') === 1);
  // The provider has charged, and responds to the other node's worker first.
  provider.books.take({
    orderId: String(rows[0].order_id),
    status: 'paid',
    amountMinor: 1000,
    currency: 'EUR',
  });
  await waitForStandby('missing');
  provider.release('GET');
  await operator.query('SELECT pg_terminate_backend($1)', [await settlingSession(placed)]);
  await worked;

  // The request itself gets no result, and finds the order paid.
  provider.books.charges.clear();
  provider.resume();
  await settlingSession(placed);
  await waitForStandby('');
  equal((await placed).status, 201);
});
