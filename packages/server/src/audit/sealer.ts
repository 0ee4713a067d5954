/** Never continues from a head that no node wrote: otherwise a tampered chain would look valid. */
import type { KeyObject } from 'node:crypto';
import { must } from '@keyport/core/assert';
import type { Logger } from 'pino';
import type { Database } from '../db/engines/database.ts';
import { runTransaction } from '../db/transaction.ts';
import * as sql from './chain.sql.ts';
import { isAuthentic, proveHead, sealEntry } from './chain.ts';

/** A batch takes about 30 ms (2 cores, 2026-11-21, PostgreSQL, fsync off). */
const BATCH_SIZE = 1_000;
/** Logs the head at this interval, because logs survive a restore of the database. */
const WITNESS_INTERVAL_MS = 60_000;

type SealerDeps = { readonly database: Database; readonly key: KeyObject; readonly log: Logger };

export class AuditSealer {
  readonly #deps: SealerDeps;
  #witnessedAtMs = Number.NEGATIVE_INFINITY;

  constructor(deps: SealerDeps) {
    this.#deps = deps;
  }

  /** Seals one batch. Returns whether more entries may be waiting. */
  async seal(): Promise<boolean> {
    return (await sql.hasUnsealed(this.#deps.database.db)) && (await this.#sealBatch());
  }

  async sealAll(): Promise<void> {
    while (await this.seal());
  }

  /** Returns whether more entries may be waiting. */
  async #sealBatch(): Promise<boolean> {
    const { database, key } = this.#deps;
    const sealed = await runTransaction(database, {}, async (tx) => {
      const head = await sql.lockHead(tx);
      if (head === undefined && (await sql.findHead(tx)) !== undefined) return undefined;
      if (head === undefined || !isAuthentic(key, head)) {
        throw new Error(
          'the head of the audit chain was changed or removed; run `keyport audit verify` for details',
        );
      }
      const entries = await sql.listUnsealed(tx, BATCH_SIZE);
      if (entries.length === 0) return undefined;
      const seals: { position: number; auditEntryId: number; mac: Buffer }[] = [];
      for (const entry of entries) {
        const position = head.position + seals.length + 1;
        const mac = sealEntry(key, { position, previousMac: seals.at(-1)?.mac ?? head.mac, entry });
        seals.push({ position, auditEntryId: entry.id, mac });
      }
      const { position, mac } = must(seals.at(-1), 'the last seal');
      const end = { position, mac, proof: proveHead(key, { position, mac }) };
      await sql.appendSeals(tx, seals, end);
      return { end, isMore: entries.length === BATCH_SIZE };
    });
    if (sealed !== undefined) this.#witness(sealed.end);
    return sealed?.isMore ?? false;
  }

  #witness({ position, mac }: sql.Head): void {
    if (performance.now() - this.#witnessedAtMs < WITNESS_INTERVAL_MS) return;
    this.#witnessedAtMs = performance.now();
    this.#deps.log.info({ auditHead: `${position}:${mac.toString('hex')}` }, 'audit log chained');
  }
}
