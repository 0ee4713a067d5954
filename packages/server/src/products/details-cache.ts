/**
 * The details of products as prepared JSON members, in a bounded cache: the longest unused goes first. An entry is good
 * for one version of the details; the catalogue in memory knows which version is current.
 */
import type { Kysely } from 'kysely';
import type { Schema } from '../db/schema.ts';
import { listDetails } from './products.sql.ts';

/** About 2 KB each. */
const ENTRIES_MAX = 20_000;

/** In stored details it stands for the service's own public URL, which may change from start to start. */
export const PUBLIC_URL_SCHEME = 'keyport-public-url:';

type Entry = { readonly version: number; readonly members: string };

export type WantedDetails = { readonly id: string; readonly detailsVersion: number };

export class DetailsCache {
  readonly #db: Kysely<Schema>;
  readonly #publicUrl: () => string;
  /** In order of use, the longest unused first. */
  readonly #entries = new Map<string, Entry>();

  constructor(db: Kysely<Schema>, publicUrl: () => string) {
    this.#db = db;
    this.#publicUrl = publicUrl;
  }

  /** By product id: the members as JSON (`"slug":…,"region":…`), without braces, in no particular order. */
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
      const members = JSON.stringify(row.details)
        .slice(1, -1)
        .replaceAll(PUBLIC_URL_SCHEME, this.#publicUrl());
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
