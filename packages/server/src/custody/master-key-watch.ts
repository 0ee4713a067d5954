/** Records this node and its master keys, so that a rotation can wait for all nodes, and counts the nodes. */
import { randomUUID } from 'node:crypto';
import type { Logger } from 'pino';
import type { Database } from '../db/engines/database.ts';
import { runTransaction } from '../db/transaction.ts';
import { RepeatedTask } from '../repeated-task.ts';
import { findNewest, type MasterKey } from './master-key-file.ts';
import { deleteHolder, listHolders, lockCurrentMasterKey, saveHolder } from './master-keys.sql.ts';
import { MasterKeyMissingError, type MasterKeys } from './master-keys.ts';

const INTERVAL_MS = 5_000;
/** A node silent for longer counts as stopped. */
export const HOLDER_EXPIRY_SECONDS = 35;

type WatchDeps = {
  readonly database: Database;
  readonly masterKeys: MasterKeys;
  readonly readFile: () => Promise<readonly MasterKey[]>;
  readonly version: string;
  readonly log: Logger;
};

export function createMasterKeyWatch({ database, masterKeys, readFile, version, log }: WatchDeps) {
  const nodeId = randomUUID();
  let nodeCount = 1;
  const task = new RepeatedTask({
    intervalMs: INTERVAL_MS,
    work: readAndReport,
    onFailure: (error) => log.warn({ err: error }, 'rereading or recording the master keys failed; retrying'),
  });

  async function readAndReport(): Promise<void> {
    const before = masterKeys.list();
    masterKeys.replace(await readFile());
    try {
      await report();
    } catch (error) {
      // A file without the current key is wrong, so the node keeps the keys that work.
      if (error instanceof MasterKeyMissingError) masterKeys.replace(before);
      throw error;
    }
  }

  /** Locks the current key against a rotation. */
  async function report(): Promise<void> {
    const keys = masterKeys.list();
    const ids = keys.map(({ id }) => id);
    await runTransaction(database, {}, async (tx) => {
      const currentId = await lockCurrentMasterKey(tx, findNewest(keys).id);
      if (!ids.includes(currentId)) throw new MasterKeyMissingError(currentId);
      await saveHolder(tx, { id: nodeId, version }, ids);
      nodeCount = (await listHolders(tx, HOLDER_EXPIRY_SECONDS)).length;
    });
  }

  return {
    /** Returns the count of the last report, which includes this node. */
    nodeCount: () => nodeCount,
    countNodes: () => task.runFresh(),
    /** Throws MasterKeyMissingError. */
    async start(): Promise<void> {
      await report();
      task.start('later');
    },
    async close(): Promise<void> {
      await task.close();
      // Otherwise a rotation would wait for this node.
      await deleteHolder(database.db, nodeId, HOLDER_EXPIRY_SECONDS).catch(() => {});
    },
  };
}
