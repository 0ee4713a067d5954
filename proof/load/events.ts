/**
 * Resellers who follow their events by the cursor, at whichever node there is. In the end every one of them has to have seen
 * exactly what the feed shows from its beginning, in that order, and that is one event for every acknowledged order (A300, A301).
 */
import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Response } from './http.ts';
import { call } from './operator.ts';
import type { CallRecord, SentOrder } from './record.ts';
import type { Buyer } from './shop.ts';

const EVENTS_WITHIN_MS = 30_000;
const PAUSE_MS = 200;

type ShownEvent = {
  readonly id: string;
  readonly type: string;
  readonly data: { readonly order?: { id: string } };
};

export class EventFollower {
  /** Ids of events, as they came. */
  readonly ids: string[] = [];
  readonly completed: string[] = [];
  cursor: string | undefined;
  /** Its next request follows from the response to this one. */
  isBusy = false;

  get path(): string {
    const after = this.cursor === undefined ? '' : `&cursor=${this.cursor}`;
    return `/export/v1/events?limit=100${after}`;
  }

  /** Returns whether there is more. */
  take(response: Response): boolean {
    if (response.status === 410) {
      // The database was set back: what was seen may be gone.
      this.ids.length = 0;
      this.completed.length = 0;
      this.cursor = undefined;
      return true;
    }
    const { data, meta } = response.json();
    for (const { id, type, data: told } of data as ShownEvent[]) {
      this.ids.push(id);
      if (type === 'order.complete' && told.order !== undefined) this.completed.push(told.order.id);
    }
    this.cursor = meta.nextCursor;
    return meta.hasMore;
  }

  async readToEnd(url: string, { token }: Buyer): Promise<void> {
    for (let hasMore = true; hasMore; ) {
      const response = await call(url, { path: this.path, token });
      assert.ok(response.status === 200 || response.status === 410, response.text());
      hasMore = this.take(response);
    }
  }
}

/** Records a problem for each reseller who received too few events, too many, or in the wrong order. */
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
