/** Token requests waiting for a connection share a statement, which costs little more than one lookup. */
import type { Db } from '../../db/schema.ts';
import { type ClaimedClient, listClaimedClients } from './clients.sql.ts';

type Caller = {
  readonly clientId: string;
  readonly resolve: (client: ClaimedClient | undefined) => void;
  readonly reject: (error: unknown) => void;
};

export class ClientLookup {
  readonly #db: Db;
  #waiting: Caller[] = [];

  constructor(db: Db) {
    this.#db = db;
  }

  get waitingCount(): number {
    return this.#waiting.length;
  }

  find(clientId: string): Promise<ClaimedClient | undefined> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ clientId, resolve, reject });
      if (this.#waiting.length === 1) void this.#lookUp();
    });
  }

  async #lookUp(): Promise<void> {
    let callers: Caller[] = [];
    const take = () => {
      callers = this.#waiting;
      this.#waiting = [];
    };
    try {
      await this.#db.connection().execute(async (db) => {
        take();
        const clients = await listClaimedClients(
          db,
          callers.map(({ clientId }) => clientId),
        );
        for (const [index, { resolve }] of callers.entries()) resolve(clients[index]);
      });
    } catch (error) {
      if (callers.length === 0) take();
      for (const { reject } of callers) reject(error);
    }
  }
}
