/**
 * A lane borrows a limited number of connections from a pool, so that its callers do not take those of other
 * lanes. The lanes of the embedded engine take turns on its only session.
 */
import type { Pool, PoolClient } from 'pg';
import type { Outage } from '../connect-failure.ts';

type LaneLimits = { readonly sizeMax: number; readonly waitMaxMs: number };

export class Lane {
  readonly #pool: Pick<Pool, 'connect'>;
  readonly #limits: LaneLimits;
  readonly #outage: Outage;
  #inUse = 0;
  readonly #waiting = new Set<() => Promise<void>>();

  constructor(pool: Pick<Pool, 'connect'>, limits: LaneLimits, outage: Outage) {
    this.#outage = outage;
    this.#pool = pool;
    this.#limits = limits;
  }

  get waiting(): number {
    return this.#waiting.size;
  }

  /** Releasing the connection lets the next caller in. */
  connect(): Promise<PoolClient> {
    return new Promise((resolve, reject) => {
      let isLate = false;
      const timer = setTimeout(() => {
        isLate = true;
        this.#waiting.delete(go);
        // The pool's message, which `errors.ts` recognizes.
        reject(this.#outage.mark(new Error('timeout exceeded when trying to connect')));
      }, this.#limits.waitMaxMs);
      const go = async () => {
        this.#waiting.delete(go);
        try {
          const client = await this.#pool.connect();
          this.#outage.end();
          const { release } = client;
          client.release = (destroy) => {
            release(destroy);
            this.#leave();
          };
          if (isLate) client.release();
          else resolve(client);
        } catch (error) {
          this.#leave();
          this.#outage.begin(error);
          reject(error);
        } finally {
          clearTimeout(timer);
        }
      };
      if (this.#inUse < this.#limits.sizeMax) {
        this.#inUse += 1;
        void go();
      } else {
        this.#waiting.add(go);
      }
    });
  }

  #leave(): void {
    const [next] = this.#waiting;
    if (next === undefined) this.#inUse -= 1;
    else void next();
  }
}
