/**
 * The details of products as prepared JSON members, in a bounded cache: the longest unused goes first. An entry is good
 * for one version of the details; the catalogue in memory knows which version is current.
 */
import type { Kysely } from 'kysely';
import type { Schema } from '../db/schema.ts';
import { listDetails } from './products.sql.ts';

/** About 2 KB each. */
const ENTRIES_MAX = 20_000;

type Entry = { readonly version: number; readonly members: string };

export type WantedDetails = { readonly id: string; readonly detailsVersion: number };

export class DetailsCache {
  readonly #db: Kysely<Schema>;
  /** In order of use, the longest unused first. */
  readonly #entries = new Map<string, Entry>();

  constructor(db: Kysely<Schema>) {
    this.#db = db;
  }

  /** By product id: `"slug":…,"region":…` up to `"videos":…`, without braces. */
  async load(wanted: readonly WantedDetails[]): Promise<ReadonlyMap<string, string>> {
    const found = new Map<string, string>();
    const missing: string[] = [];
    for (const { id, detailsVersion } of wanted) {
      const entry = this.#entries.get(id);
      if (entry === undefined || entry.version < detailsVersion) {
        missing.push(id);
        continue;
      }
      found.set(id, entry.members);
      this.#use(id, entry);
    }
    if (missing.length === 0) return found;
    for (const row of await listDetails(this.#db, missing)) {
      const members = JSON.stringify(row.details).slice(1, -1);
      found.set(row.id, members);
      this.#use(row.id, { version: row.version, members });
    }
    return found;
  }

  #use(id: string, entry: Entry): void {
    this.#entries.delete(id);
    this.#entries.set(id, entry);
    const [longestUnused] = this.#entries.keys();
    if (this.#entries.size > ENTRIES_MAX && longestUnused !== undefined) this.#entries.delete(longestUnused);
  }
}
