/** Never continues from a head that no node wrote: otherwise a tampered chain would look valid. */
import type { KeyObject } from 'node:crypto';
import { must } from '@keyport/core/assert';
import type { Logger } from 'pino';
import type { Database } from '../db/engines/database.ts';
import { runTransaction } from '../db/transaction.ts';
import { RepeatedTask } from '../repeated-task.ts';
import * as sql from './chain.sql.ts';
import { isAuthentic, proveHead, sealEntry } from './chain.ts';

const INTERVAL_MS = 1_000;
/** A batch takes about 30 ms (2 cores, 2026-11-21, PostgreSQL, fsync off). */
const BATCH_SIZE = 1_000;
/** Logs the head at this interval, because logs survive a restore of the database. */
const WITNESS_INTERVAL_MS = 60_000;

type SealerDeps = { readonly database: Database; readonly key: KeyObject; readonly log: Logger };

export class AuditSealer {
  readonly #deps: SealerDeps;
  readonly #task: RepeatedTask;
  #witnessedAtMs = Number.NEGATIVE_INFINITY;

  constructor(deps: SealerDeps) {
    this.#deps = deps;
    this.#task = new RepeatedTask({
      intervalMs: INTERVAL_MS,
      work: () => this.#sealAll(),
      onFailure: (error) => deps.log.error({ err: error }, 'chaining the audit log failed; retrying'),
    });
  }

  start(): void {
    this.#task.start('later');
  }

  /** A final run leaves nothing unsealed. */
  async close(): Promise<void> {
    await this.#task.close();
    await this.#task.run();
  }

  /** Never throws. */
  run(): Promise<void> {
    return this.#task.run();
  }

  async #sealAll(): Promise<void> {
    if (!(await sql.hasUnsealed(this.#deps.database.db))) return;
    for (let isMore = true; isMore; ) isMore = await this.#sealBatch();
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
