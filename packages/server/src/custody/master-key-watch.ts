/** Records which master keys this node holds, so that a rotation knows when all nodes are ready. */
import { randomUUID } from 'node:crypto';
import type { Logger } from 'pino';
import type { Database } from '../db/engines/database.ts';
import { runTransaction } from '../db/transaction.ts';
import { RepeatedTask } from '../repeated-task.ts';
import { type MasterKey, newestOf } from './master-key-file.ts';
import { deleteHolder, lockCurrentMasterKey, saveHolder } from './master-keys.sql.ts';
import { MasterKeyMissingError, type MasterKeys } from './master-keys.ts';

const INTERVAL_MS = 5_000;

/** A node that is silent for longer is gone. */
export const HOLDER_EXPIRY_SECONDS = 35;

export class MasterKeyWatch {
  readonly #database: Database;
  readonly #masterKeys: MasterKeys;
  readonly #readFile: () => Promise<readonly MasterKey[]>;
  readonly #version: string;
  readonly #nodeId = randomUUID();
  readonly #task: RepeatedTask;

  constructor(deps: {
    readonly database: Database;
    readonly masterKeys: MasterKeys;
    readonly readFile: () => Promise<readonly MasterKey[]>;
    readonly version: string;
    readonly log: Logger;
  }) {
    this.#version = deps.version;
    this.#database = deps.database;
    this.#masterKeys = deps.masterKeys;
    this.#readFile = deps.readFile;
    this.#task = new RepeatedTask({
      intervalMs: INTERVAL_MS,
      work: () => this.#readAndReport(),
      onFailure: (error) => deps.log.warn({ err: error }, 'the master keys could not be read again'),
    });
  }

  /** Throws MasterKeyMissingError. */
  async start(): Promise<void> {
    await this.#report();
    this.#task.start('later');
  }

  async close(): Promise<void> {
    await this.#task.close();
    // Otherwise a rotation would wait for this node.
    await deleteHolder(this.#database.kysely, this.#nodeId, HOLDER_EXPIRY_SECONDS).catch(() => {});
  }

  async #readAndReport(): Promise<void> {
    const held = this.#masterKeys.list();
    this.#masterKeys.replace(await this.#readFile());
    try {
      await this.#report();
    } catch (error) {
      // A file without the current key is a mistake; what works continues.
      if (error instanceof MasterKeyMissingError) this.#masterKeys.replace(held);
      throw error;
    }
  }

  /** With a lock on the current key, so that no rotation comes in between. */
  async #report(): Promise<void> {
    const keys = this.#masterKeys.list();
    const ids = keys.map(({ id }) => id);
    await runTransaction(this.#database, {}, async (tx) => {
      const currentId = await lockCurrentMasterKey(tx, newestOf(keys).id);
      if (!ids.includes(currentId)) throw new MasterKeyMissingError(currentId);
      await saveHolder(tx, { id: this.#nodeId, version: this.#version }, ids);
    });
  }
}
