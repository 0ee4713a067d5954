/** All nodes switch to the newest key together; then small transactions rewrap older values. I42. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { SystemInfo } from '@keyport/contract/operators/system';
import { insertAudit } from '../audit/append-audit.sql.ts';
import type { Database } from '../db/engines/database.ts';
import { runTransaction } from '../db/transaction.ts';
import { unwrap, wrap } from './envelope.ts';
import { findNewest, type MasterKey } from './master-key-file.ts';
import { HOLDER_EXPIRY_SECONDS } from './master-key-watch.ts';
import * as sql from './master-keys.sql.ts';
import { unwrapWith } from './master-keys.ts';

/** Keeps a transaction under 10 ms (2 cores, 2026-11-21, PostgreSQL, fsync off). */
const BATCH_SIZE = 100;
const HOLDER_POLL_MS = 500;

export type Rotation = {
  readonly masterKeyId: string;
  readonly wrapped: number;
  /** All values, each opened with this key alone. */
  readonly checked: number;
};

export type RotationOptions = {
  readonly database: Database;
  /** The newest is last and is the target. */
  readonly keys: readonly MasterKey[];
  readonly holderWaitMs: number;
  readonly actor: string;
  readonly onProgress?: (done: number, total: number) => void;
  readonly onWait?: (nodeIds: readonly string[]) => void;
};

export class HoldersMissKeyError extends Error {
  override readonly name = 'HoldersMissKeyError';
  constructor(masterKeyId: string, nodeIds: readonly string[]) {
    super(
      `${nodeIds.length} running node(s) do not hold the master key ${masterKeyId} yet: ${nodeIds.join(', ')}. ` +
        'Copy the key file with this key to every node, then run the command again. Nothing was changed',
    );
  }
}

/** Values that were rewrapped before the error stay rewrapped. */
export class NotOpenedError extends Error {
  override readonly name = 'NotOpenedError';
  constructor(name: string, masterKeyId: string | null, cause: unknown) {
    super(
      `${name} is wrapped under ${masterKeyId === null ? 'a master key' : `the master key ${masterKeyId}`} that is ` +
        'not in the key file, or the value was changed. Put that key back into the file, before the newest, and run the command again',
      { cause },
    );
  }
}

export async function rotateMasterKey(options: RotationOptions): Promise<Rotation> {
  const { database, keys, onProgress } = options;
  const target = findNewest(keys);
  await changeOver(options);
  const counts = await sql.countWrapped(database.db);
  const total = [...counts].reduce((sum, [id, count]) => sum + (id === target.id ? 0 : count), 0);
  let done = 0;
  for (const table of sql.WRAPPED_TABLES) {
    for (let count = BATCH_SIZE; count === BATCH_SIZE; ) {
      count = await wrapBatch(database, table, keys);
      done += count;
      onProgress?.(done, Math.max(done, total));
    }
  }
  return { masterKeyId: target.id, wrapped: done, checked: await checkAll(database, target) };
}

async function changeOver(options: RotationOptions): Promise<void> {
  const { database, keys, holderWaitMs, actor, onWait } = options;
  const target = findNewest(keys);
  const deadlineMs = performance.now() + holderWaitMs;
  for (;;) {
    const lacking = await runTransaction(database, {}, async (tx) => {
      const currentId = await sql.lockInstallation(tx);
      if (currentId === target.id) return [];
      const nodeIds = nodesLacking(target, await sql.listHolders(tx, HOLDER_EXPIRY_SECONDS));
      if (nodeIds.length > 0) return nodeIds;
      await sql.saveCurrentMasterKey(tx, target.id);
      await insertAudit(tx, {
        clientId: actor,
        action: 'master-key.rotate',
        data: { from: currentId, to: target.id },
      });
      return [];
    });
    if (lacking.length === 0) return;
    if (performance.now() >= deadlineMs) throw new HoldersMissKeyError(target.id, lacking);
    onWait?.(lacking);
    await sleep(HOLDER_POLL_MS);
  }
}

function nodesLacking({ id }: MasterKey, holders: readonly sql.Holder[]): string[] {
  return holders.filter(({ masterKeyIds }) => !masterKeyIds.includes(id)).map(({ nodeId }) => nodeId);
}

/** Returns the number of values: fewer than BATCH_SIZE if none remain. */
function wrapBatch(database: Database, table: sql.WrappedTable, keys: readonly MasterKey[]): Promise<number> {
  const target = findNewest(keys);
  return runTransaction(database, {}, async (tx) => {
    const rows = await sql.listWrappedUnderOthers(tx, table, { masterKeyId: target.id, limit: BATCH_SIZE });
    if (rows.length === 0) return 0;
    const fresh = rows.map((row) => {
      try {
        return { id: row.id, wrapped: wrap(target.key, unwrapWith(keys, row, row.name), row.name) };
      } catch (cause) {
        throw new NotOpenedError(row.name, row.masterKeyId, cause);
      }
    });
    await sql.saveWrapped(tx, table, fresh, target.id);
    return rows.length;
  });
}

/** Returns the number of values. */
async function checkAll(database: Database, { id, key }: MasterKey): Promise<number> {
  let checked = 0;
  for (const table of sql.WRAPPED_TABLES) {
    let afterId = '';
    for (;;) {
      const rows = await sql.listWrappedAfter(database.db, table, { afterId, limit: BATCH_SIZE * 10 });
      for (const row of rows) {
        try {
          unwrap(key, row.wrapped, row.name);
        } catch (cause) {
          throw new NotOpenedError(row.name, row.masterKeyId, cause);
        }
        if (row.masterKeyId !== id) throw new NotOpenedError(row.name, row.masterKeyId, undefined);
      }
      checked += rows.length;
      const last = rows.at(-1);
      if (last === undefined) break;
      afterId = last.id;
    }
  }
  return checked;
}

export type MasterKeyOverview = SystemInfo['masterKeys'];

export async function describeMasterKeys(
  database: Database,
  inFile: readonly MasterKey[],
): Promise<MasterKeyOverview> {
  const current = await sql.findCurrentMasterKey(database.db);
  const counts = await sql.countWrapped(database.db);
  const holders = await sql.listHolders(database.db, HOLDER_EXPIRY_SECONDS);
  const known = [
    ...inFile.map(({ id }) => id),
    ...(current === null ? [] : [current]),
    ...[...counts.keys()].filter((id) => id !== null),
    ...holders.flatMap(({ masterKeyIds }) => masterKeyIds),
  ];
  return {
    keys: [...new Set(known)].map((id) => ({
      id,
      isInFile: inFile.some((key) => key.id === id),
      isCurrent: id === current,
      wrapped: counts.get(id) ?? 0,
      nodes: holders.filter(({ masterKeyIds }) => masterKeyIds.includes(id)).length,
    })),
    unnamed: counts.get(null) ?? 0,
    runningNodes: holders.length,
  };
}

/** Returns undefined if the key may be removed from the file. */
export function rejectRemoval(overview: MasterKeyOverview, id: string): string | undefined {
  const use = overview.keys.find((key) => key.id === id);
  if (use === undefined || !use.isInFile) return `the key file has no master key ${id}`;
  if (use.isCurrent) return `the master key ${id} is the current one: rotate to another one first`;
  if (use.wrapped + overview.unnamed > 0) {
    return `${use.wrapped + overview.unnamed} secrets are, or may be, wrapped under the master key ${id}: rotate first`;
  }
  if (overview.keys.filter(({ isInFile }) => isInFile).length === 1) return 'it is the only key in the file';
  return undefined;
}
