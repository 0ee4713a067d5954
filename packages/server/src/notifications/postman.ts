/**
 * If a node dies between sending and recording, another sends the message again: it may arrive twice, but is
 * never lost.
 */

import { formatDateTime } from '@keyport/core/date-time';
import type { Logger } from 'pino';
import { explainConnectionFailure } from '../connection-failure.ts';
import type { Database } from '../db/engines/database.ts';
import { runTransaction } from '../db/transaction.ts';
import type { Metrics } from '../metrics/metrics.ts';
import type { SignInLink } from '../people/invitations.ts';
import { claimDue, type DueRow, recordFailure, recordSent, returnLease } from './channels.sql.ts';
import { loadWanted } from './choices.ts';
import type { Mailer } from './mailer.ts';
import { LISTED_MAX, writeDigest, writeLink } from './message.ts';
import { loadDigest } from './notices.sql.ts';

const SENT_AT_ONCE = 20;

export type PostmanDeps = {
  readonly database: Database;
  readonly log: Logger;
  readonly publicUrl: () => string;
  readonly isLocal: boolean;
  readonly findLink: (seed: Buffer) => Promise<SignInLink | undefined>;
  readonly onNotification: Metrics['onNotification'] | undefined;
};

/**
 * Sends what is due on one channel. A message that takes long occupies one of `SENT_AT_ONCE` places, and delays no other:
 * `work` does not wait for it.
 */
export class Postman {
  readonly #deps: PostmanDeps;
  readonly #channel: DueRow['channel'];
  readonly #sending = new Set<Promise<void>>();

  constructor(deps: PostmanDeps, channel: DueRow['channel']) {
    this.#deps = deps;
    this.#channel = channel;
  }

  async work(mailer: Mailer, closing: AbortSignal): Promise<void> {
    const { database, log } = this.#deps;
    for (;;) {
      const free = SENT_AT_ONCE - this.#sending.size;
      if (free === 0 || closing.aborted) return;
      const due = await runTransaction(database, {}, (tx) => claimDue(tx, this.#channel, free));
      for (const row of due) {
        const sending = handle(this.#deps, mailer, row, closing).catch((error: unknown) =>
          log.warn({ err: error }, 'recording a sent message failed; it is sent again'),
        );
        this.#sending.add(sending);
        void sending.finally(() => this.#sending.delete(sending));
      }
      if (due.length < free) return;
    }
  }

  /** Resolves when no message is being sent. */
  async settle(): Promise<void> {
    while (this.#sending.size > 0) await Promise.all(this.#sending);
  }
}

/** Rejects if the outcome cannot be recorded; the retry then waits for the lease's end. */
async function handle(deps: PostmanDeps, mailer: Mailer, due: DueRow, closing: AbortSignal): Promise<void> {
  const { database, log, onNotification } = deps;
  const { channel } = due;
  let isSent: boolean;
  try {
    isSent = await send(deps, mailer, due, closing);
  } catch (error) {
    if (closing.aborted) return runTransaction(database, {}, (tx) => returnLease(tx, due));
    onNotification?.({ channel, outcome: 'failed' });
    log.warn(
      { err: error, operatorId: due.owner, channel },
      'sending a message to an operator failed; retrying',
    );
    const reason =
      explainConnectionFailure(error) ?? (error instanceof Error ? error.message : String(error));
    return runTransaction(database, {}, (tx) => recordFailure(tx, due, reason));
  }
  await runTransaction(database, {}, (tx) => recordSent(tx, due, isSent));
  if (isSent) onNotification?.({ channel, outcome: 'sent' });
}

/** Returns false if there was nothing to send. */
async function send(deps: PostmanDeps, mailer: Mailer, due: DueRow, closing: AbortSignal): Promise<boolean> {
  const { owner, channel, upTo } = due;
  const message = channel === 'link' ? await toLink(deps, due) : await computeDigest(deps, due);
  if (message === undefined) return false;
  const id = `${channel}.${owner}.${due.linkSeed?.toString('hex', 0, 8) ?? upTo}`;
  await mailer.send({ to: due.email, ...message, id }, closing);
  return true;
}

async function toLink({ findLink, publicUrl, isLocal }: PostmanDeps, { linkSeed, name }: DueRow) {
  const link = linkSeed === null ? undefined : await findLink(linkSeed);
  if (link === undefined) return undefined;
  const expiresAt = `${formatDateTime(link.expiresAtMicros).slice(0, 16).replace('T', ' ')} UTC`;
  return writeLink(name, { url: link.invitationUrl, expiresAt }, { publicUrl: publicUrl(), isLocal });
}

async function computeDigest(deps: PostmanDeps, { owner, role, toldId, upTo }: DueRow) {
  const { db } = deps.database;
  const principal = { role: 'operator', clientId: owner, operatorRole: role } as const;
  const wanted = await loadWanted(db, principal, 'mail');
  const rows = await loadDigest(db, wanted, { after: toldId, upTo, eachMax: LISTED_MAX });
  return rows.length === 0 ? undefined : writeDigest(rows, `${deps.publicUrl()}/console`);
}
