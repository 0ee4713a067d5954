/**
 * Commits wait for a synchronous standby that is not there. A session whose wait is ended or canceled leaves its transaction
 * committed on the leader, for everybody to see, and nowhere else. Nobody may be told of it as of an order before a
 * standby has it too (A160). Fault F 104.
 */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { connectTo, onEnd, testEngine } from '../../support/database.ts';
import type { Answer } from '../../support/harness.ts';
import { manual } from '../../support/harness.ts';
import { startPostgres } from '../../support/postgres.ts';
import { startTwoNodes } from '../../support/two-nodes.ts';

const LOOK_INTERVAL_MS = 20;

test('an order that only the leader holds is acknowledged by no node until a standby has it', {
  skip: testEngine === 'embedded' && 'the embedded engine has no standbys',
}, async () => {
  const owner = { after };
  const postgres = await startPostgres({ durable: true });
  onEnd(owner, () => postgres.stop());
  const { h, nodes } = await startTwoNodes(owner, {}, { database: { url: postgres.url, dataDir: 'memory' } });
  const reseller = await h.seed.reseller({ balance: '100.00' });
  const { offerId } = await h.seed.listing({ price: '10.00' });
  const operator = await connectTo(owner, postgres.url);
  const waitForStandby = async (name: string) => {
    await operator.query(`ALTER SYSTEM SET synchronous_standby_names = '${name}'`);
    await operator.query('SELECT pg_reload_conf()');
  };
  const key = randomUUID();
  const ended: number[] = [];
  const order = (url: string) => reseller.at(url).order(manual(offerId), key);

  /** The session that waits for the standby with this key's lock; fails when the answer comes first. */
  const waitingSession = async (answer: Promise<Answer>): Promise<number> => {
    const early = answer.then(({ status }) => assert.fail(`answered ${status} without a standby`));
    // It also comes when nobody looks any more.
    early.catch(() => {});
    for (;;) {
      const { rows } = await operator.query(
        `SELECT activity.pid FROM pg_stat_activity AS activity JOIN pg_locks USING (pid)
          WHERE wait_event = 'SyncRep' AND locktype = 'advisory' AND granted
            AND (classid::bigint << 32 | objid::bigint) = hashtextextended($1, 0) AND pid <> ALL ($2)`,
        [`${reseller.accountId}/${key}`, ended],
      );
      if (rows.length > 0) return rows[0].pid;
      await Promise.race([early, sleep(LOOK_INTERVAL_MS)]);
    }
  };
  const endSession = async (pid: number) => {
    ended.push(pid);
    await operator.query('SELECT pg_terminate_backend($1)', [pid]);
  };

  await waitForStandby('missing');
  const first = order(nodes[0].url);
  await endSession(await waitingSession(first));
  // Now it looks up what became of its commit.
  await endSession(await waitingSession(first));
  assert.equal((await first).status, 503);

  const interrupted = order(nodes[1].url);
  await endSession(await waitingSession(interrupted));
  assert.equal((await interrupted).status, 503);

  // Whose wait is canceled is told that its COMMIT has happened, with a warning that the standby may not have it.
  const canceled = order(nodes[1].url);
  const canceledPid = await waitingSession(canceled);
  ended.push(canceledPid);
  await operator.query('SELECT pg_cancel_backend($1)', [canceledPid]);
  assert.equal((await canceled).status, 503);

  const repeat = order(nodes[1].url);
  await waitingSession(repeat);
  await waitForStandby('');
  assert.equal((await repeat).status, 200);
});
