/**
 * An entry's keyed hash covers the entry, its position and the previous hash; the head's covers the last hash.
 * A107, I57.
 */
import { createHmac, type KeyObject } from 'node:crypto';
import type { Database } from '../db/engines/database.ts';
import type { Tx } from '../db/schema.ts';
import { runTransaction } from '../db/transaction.ts';
import * as sql from './chain.sql.ts';

const MAC_SIZE_BYTES = 32;
const PAGE_SIZE = 2_000;
const EXAMPLES_MAX = 10;
const STATEMENT_TIMEOUT_MS = 600_000;
const CHAIN_START = Buffer.alloc(MAC_SIZE_BYTES);

export function sealEntry(
  key: KeyObject,
  { position, previousMac, entry }: { position: number; previousMac: Buffer; entry: sql.ChainEntry },
): Buffer {
  const { id, atMicros, clientId, role, address, action, accountId, orderId, traceId, data } = entry;
  // JSON, so that no two entries produce the same text.
  const text = JSON.stringify([
    id,
    atMicros,
    clientId,
    role,
    address,
    action,
    accountId,
    orderId,
    traceId,
    data,
  ]);
  return createHmac('sha256', key)
    .update(`keyport/audit-entry/${position}\n`)
    .update(previousMac)
    .update(text, 'utf8')
    .digest();
}

/** Call it only in the transaction that stores the key: a restarted chain would hide earlier changes. */
export function beginChain(tx: Tx, key: KeyObject): Promise<void> {
  const start = { position: 0, mac: CHAIN_START };
  return sql.insertHead(tx, { ...start, proof: proveHead(key, start) });
}

export function proveHead(key: KeyObject, { position, mac }: Pick<sql.Head, 'position' | 'mac'>): Buffer {
  return createHmac('sha256', key).update(`keyport/audit-head/${position}\n`).update(mac).digest();
}

/** A position and its hash, noted earlier outside the database: `<position>:<hash in hexadecimal>`. */
export type Anchor = { readonly position: number; readonly mac: string };

export function parseAnchor(text: string): Anchor | undefined {
  const [, position, mac] = /^([1-9]\d{0,14}):([0-9a-f]{64})$/.exec(text) ?? [];
  return position === undefined || mac === undefined ? undefined : { position: Number(position), mac };
}

export type ChainCheck = {
  readonly checked: number;
  readonly broken: number;
  readonly examples: readonly string[];
  /** The newest entry's anchor; undefined if the chain is empty. */
  readonly head: string | undefined;
};

/** Reads the whole log in one snapshot. */
export function checkChain(database: Database, key: KeyObject, anchor?: Anchor): Promise<ChainCheck> {
  const limits = {
    statementTimeoutMs: STATEMENT_TIMEOUT_MS,
    deadlineMs: STATEMENT_TIMEOUT_MS,
    isSnapshot: true,
  };
  return runTransaction(database, limits, async (tx) => {
    const problems = new Problems();
    let last: Pick<sql.Head, 'position' | 'mac'> = { position: 0, mac: CHAIN_START };
    let checked = 0;
    let hasAnchor = anchor === undefined;
    for (;;) {
      const page = await sql.listSealed(tx, { afterPosition: last.position, limit: PAGE_SIZE });
      for (const sealed of page) {
        problems.add(describeProblem(key, last, sealed));
        hasAnchor ||= sealed.position === anchor?.position && sealed.mac.toString('hex') === anchor.mac;
        last = sealed;
      }
      checked += page.length;
      if (page.length < PAGE_SIZE) break;
    }
    problems.add(describeHeadProblem(key, last, await sql.findHead(tx)));
    if (!hasAnchor) problems.add(`the chain no longer has the anchor's hash at position ${anchor?.position}`);
    for (const id of await sql.listUncovered(tx))
      problems.add(`entry ${id} is neither in the chain nor waiting for it`);
    const head = last.position === 0 ? undefined : `${last.position}:${last.mac.toString('hex')}`;
    return { checked, broken: problems.count, examples: problems.examples, head };
  });
}

class Problems {
  count = 0;
  readonly examples: string[] = [];

  add(problem: string | undefined): void {
    if (problem === undefined) return;
    this.count += 1;
    if (this.examples.length < EXAMPLES_MAX) this.examples.push(problem);
  }
}

function describeProblem(
  key: KeyObject,
  before: { readonly position: number; readonly mac: Buffer },
  { position, auditEntryId, mac, entry }: sql.Sealed,
): string | undefined {
  if (position !== before.position + 1) {
    return `positions ${before.position + 1} to ${position - 1} of the chain are missing`;
  }
  if (entry === undefined) return `entry ${auditEntryId} (position ${position}) is missing`;
  const isSound = sealEntry(key, { position, previousMac: before.mac, entry }).equals(mac);
  return isSound
    ? undefined
    : `entry ${auditEntryId} (position ${position}) was changed or moved, or its hash was changed`;
}

function describeHeadProblem(
  key: KeyObject,
  last: Pick<sql.Head, 'position' | 'mac'>,
  head: sql.Head | undefined,
): string | undefined {
  if (head === undefined) return 'the head of the chain is missing, and the newest entries may be too';
  if (!isAuthentic(key, head)) return 'the head of the chain was changed';
  const isEnd = head.position === last.position && head.mac.equals(last.mac);
  return isEnd
    ? undefined
    : `the chain ends at position ${last.position}, but its head is at position ${head.position}`;
}

export function isAuthentic(key: KeyObject, head: sql.Head): boolean {
  return proveHead(key, head).equals(head.proof);
}
