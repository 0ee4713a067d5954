import type { NotificationChannel, NotificationChoices } from '@keyport/contract/operators/notifications';
import type { Role } from '@keyport/contract/roles';
import { allRows, execute, firstValue } from '../db/rows.ts';
import type { Db, Tx } from '../db/schema.ts';
import { sql } from '../db/sql.ts';
import { deriveMicros } from '../db/timestamps.ts';

/** Longer than sending a message can take. */
const LEASE = sql`interval '1 minute'`;
/** The wait after a sent message; the next message has all notices since then. */
const PAUSE = sql`interval '1 minute'`;
/** A later due time was set by a clock that has since gone back. */
const DELAY_MAX = sql`interval '61 minutes'`;
const ERROR_LENGTH_MAX = 300;

export function findChoices(db: Db, owner: string): Promise<NotificationChoices | null | undefined> {
  return firstValue<{ choices: NotificationChoices | null }>(db)`
    SELECT notifications AS choices FROM person WHERE id = ${owner}`;
}

export async function writeChoices(tx: Tx, owner: string, choices: NotificationChoices): Promise<void> {
  await execute(tx)`UPDATE person SET notifications = ${JSON.stringify(choices)}::jsonb WHERE id = ${owner}`;
}

export type ChannelRow = {
  readonly channel: NotificationChannel | 'link';
  readonly toldId: number;
  readonly failingSinceMicros: number | null;
  readonly error: string | null;
};

export function listChannels(db: Db, owner: string): Promise<ChannelRow[]> {
  return allRows<ChannelRow>(db)`
    SELECT channel, told_id AS "toldId", ${deriveMicros('failing_since')} AS "failingSinceMicros", error
    FROM notification_channel WHERE owner = ${owner}`;
}

export async function markRead(tx: Tx, owner: string, upTo: string): Promise<void> {
  await execute(tx)`
    INSERT INTO notification_channel (owner, channel, told_id) VALUES (${owner}, 'console', ${upTo}::bigint)
    ON CONFLICT (owner, channel) DO UPDATE
    SET told_id = greatest(notification_channel.told_id, excluded.told_id)`;
}

const LATEST = sql`(SELECT coalesce(max(id), 0) FROM matter)`;

/** The first mail has only notices from now on. */
export async function beginMail(tx: Tx, owner: string): Promise<void> {
  await execute(tx)`
    INSERT INTO notification_channel (owner, channel, told_id) VALUES (${owner}, 'mail', ${LATEST})
    ON CONFLICT (owner, channel) DO NOTHING`;
}

export async function queueLink(tx: Tx, owner: string, seed: Buffer): Promise<void> {
  await execute(tx)`
    INSERT INTO notification_channel (owner, channel, told_id, link_seed) VALUES (${owner}, 'link', 0, ${seed})
    ON CONFLICT (owner, channel) DO UPDATE SET link_seed = excluded.link_seed, due_at = excluded.due_at, tries = 0,
      failing_since = NULL, error = NULL`;
}

export async function endMail(tx: Tx, owner: string): Promise<void> {
  await execute(tx)`DELETE FROM notification_channel WHERE owner = ${owner} AND channel = 'mail'`;
}

/** Undefined if the owner is a client. */
export function findAddress(db: Db, owner: string): Promise<string | undefined> {
  return firstValue<{ email: string }>(db)`SELECT email FROM person WHERE id = ${owner}`;
}

export type DueRow = {
  readonly owner: string;
  readonly channel: 'mail' | 'link';
  readonly role: Role;
  readonly email: string;
  readonly name: string;
  readonly toldId: number;
  /** The newest notice's id. */
  readonly upTo: number;
  readonly linkSeed: Buffer | null;
  /** Identifies the lease: nothing else sets the same time. */
  readonly leasedUntil: string;
};

/** No index: each operator has only a few rows. */
export function claimDue(tx: Tx, channel: DueRow['channel'], limit: number): Promise<DueRow[]> {
  return allRows<DueRow>(tx)`
    UPDATE notification_channel AS taken SET due_at = clock_timestamp() + ${LEASE}, tries = tries + 1
    FROM person, ${LATEST} AS latest (id)
    WHERE person.id = taken.owner AND (taken.owner, taken.channel) IN (
      SELECT owner, channel FROM notification_channel JOIN person ON person.id = owner, ${LATEST} AS latest (id)
      WHERE channel = ${channel} AND disabled_at IS NULL
        AND due_at NOT BETWEEN statement_timestamp() AND statement_timestamp() + ${DELAY_MAX}
        AND (channel = 'link' OR told_id < latest.id)
      ORDER BY due_at LIMIT ${limit} FOR UPDATE OF notification_channel SKIP LOCKED)
    RETURNING taken.owner, taken.channel, person.role, person.email, person.name, taken.told_id AS "toldId",
      latest.id AS "upTo", taken.link_seed AS "linkSeed", taken.due_at::text AS "leasedUntil"`;
}

const isLeased = ({ owner, channel, leasedUntil }: DueRow) =>
  sql`owner = ${owner} AND channel = ${channel} AND due_at = ${leasedUntil}::timestamptz`;

/** `pauses` is true if a message was sent. A sent link's row is deleted. */
export async function recordSent(tx: Tx, due: DueRow, pauses: boolean): Promise<void> {
  if (due.channel === 'link') await execute(tx)`DELETE FROM notification_channel WHERE ${isLeased(due)}`;
  else
    await execute(tx)`
      UPDATE notification_channel SET told_id = ${due.upTo}::bigint, tries = 0, failing_since = NULL, error = NULL,
        due_at = statement_timestamp() + CASE WHEN ${pauses}::boolean THEN ${PAUSE} ELSE '0' END
      WHERE ${isLeased(due)}`;
}

export async function returnLease(tx: Tx, due: DueRow): Promise<void> {
  await execute(tx)`
    UPDATE notification_channel
    SET due_at = statement_timestamp(), tries = tries - 1 WHERE ${isLeased(due)}`;
}

/** Retried after 1, 2, 4 … minutes, a link after 2, 4, 8 … seconds, at most after an hour. */
export async function recordFailure(tx: Tx, due: DueRow, error: string): Promise<void> {
  await execute(tx)`
    UPDATE notification_channel SET failing_since = coalesce(failing_since, statement_timestamp()),
      error = ${error.slice(0, ERROR_LENGTH_MAX)},
      due_at = statement_timestamp() + least(interval '1 hour',
        2 ^ least(tries - 1, 12) * CASE channel WHEN 'link' THEN interval '2 seconds' ELSE interval '1 minute' END)
    WHERE ${isLeased(due)}`;
}
