/**
 * Resellers who follow their events at any node must have seen exactly the feed, with one event for every
 * acknowledged order (A300, A301).
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { EventFollower } from './event-follower.ts';
import type { CallRecord, SentOrder } from './record.ts';

const EVENTS_WITHIN_MS = 30_000;
const PAUSE_MS = 200;

export async function compareEvents(
  record: CallRecord,
  acknowledged: readonly SentOrder[],
  urlOf: (index: number) => string,
): Promise<void> {
  const byAccount = Map.groupBy(acknowledged, ({ buyer }) => buyer.account.id);
  let index = 0;
  for (const [accountId, orders] of byAccount) {
    index += 1;
    const [first] = orders;
    if (first === undefined) continue;
    const { buyer } = first;
    const expected = orders.flatMap(({ outcome }) => (outcome?.kind === 'ordered' ? [outcome.order.id] : []));
    const whole = new EventFollower();
    const deadline = performance.now() + EVENTS_WITHIN_MS;
    for (;;) {
      await whole.readToEnd(urlOf(index), buyer);
      if (whole.completed.length >= expected.length || performance.now() > deadline) break;
      await sleep(PAUSE_MS);
    }
    if (whole.completed.toSorted().join() !== expected.toSorted().join())
      record.problem(
        `account ${accountId}: ${whole.completed.length} events of ${expected.length} orders, or others`,
      );
    for (const { buyer: other, follower } of record.followers) {
      if (other.account.id !== accountId) continue;
      await follower.readToEnd(urlOf(index + 1), other);
      if (follower.ids.join() !== whole.ids.join())
        record.problem(
          `account ${accountId}: a follower saw ${follower.ids.length} events of ${whole.ids.length}, or others`,
        );
    }
  }
}
