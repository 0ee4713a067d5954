/** Announces unread keys once per order. The position's lock lets one node work at a time. A305. */
import { EVENT_RETENTION_DAYS } from '@keyport/contract/webhooks/events';
import { MICROS_PER_HOUR } from '@keyport/core/date-time';
import type { NewEvent } from '@keyport/core/events';
import { logChanges } from '../catalogue/catalogue-clock.sql.ts';
import type { Database } from '../db/engines/database.ts';
import type { Tx } from '../db/schema.ts';
import { runTransaction } from '../db/transaction.ts';
import * as sql from './expiring-keys.sql.ts';

/** The notice comes this long before the keys window ends, or after half of a shorter window. */
const NOTICE_HOURS = 6;
const WINDOW_HOURS_MAX = EVENT_RETENTION_DAYS * 24;
/** Events per transaction. Each completed order among them can cause one event. */
const LOOKED_AT_ONCE = 500;

export type ExpiringKeysOptions = {
  readonly database: Database;
  readonly keysWindowHours: number;
};

export class ExpiringKeys {
  readonly #options: ExpiringKeysOptions;

  constructor(options: ExpiringKeysOptions) {
    this.#options = options;
  }

  /** Looks at some events. Returns whether more wait. */
  async look(): Promise<boolean> {
    if (!this.#hasMoment()) return false;
    return LOOKED_AT_ONCE === (await runTransaction(this.#options.database, {}, (tx) => this.#lookOnce(tx)));
  }

  /** For an order whose times were changed. Must be the last step of the transaction. */
  async announceIfDue(tx: Tx, orderId: string): Promise<void> {
    if (this.#hasMoment() && (await sql.isOlder(tx, orderId, this.#hoursUntilNotice())))
      await this.#announce(tx, [orderId]);
  }

  /** Must be the last step of the transaction. */
  async #announce(tx: Tx, orderIds: readonly string[]): Promise<void> {
    const unread = await sql.lockUnreadOrders(tx, orderIds);
    const expiring = await sql.recordExpiring(tx, unread);
    await logChanges(tx, { events: expiring.map((order) => this.#eventOf(order)) });
  }

  async #lookOnce(tx: Tx): Promise<number> {
    const afterId = await sql.lockLookedId(tx);
    if (afterId === undefined) return 0;
    const hours = this.#hoursUntilNotice();
    const events = await sql.listOlderEvents(tx, { afterId, hours, limit: LOOKED_AT_ONCE });
    const last = events.at(-1);
    if (last === undefined) return 0;
    await sql.moveLookedId(tx, last.id);
    await this.#announce(
      tx,
      events.flatMap(({ completedOrderId }) => (completedOrderId === null ? [] : [completedOrderId])),
    );
    return events.length;
  }

  /** False if the events are deleted before the notice would be due. */
  #hasMoment(): boolean {
    return this.#options.keysWindowHours <= WINDOW_HOURS_MAX;
  }

  #hoursUntilNotice(): number {
    const { keysWindowHours } = this.#options;
    return keysWindowHours > NOTICE_HOURS ? keysWindowHours - NOTICE_HOURS : keysWindowHours / 2;
  }

  #eventOf({ id, accountId, completedMicros, quantity }: sql.ExpiringOrder): NewEvent {
    const expiresAtMicros = completedMicros + Math.round(this.#options.keysWindowHours * MICROS_PER_HOUR);
    const data = { order: { status: 'complete', quantity }, expiresAtMicros } as const;
    return { type: 'order.keys_expiring', accountId, orderId: id, data };
  }
}
