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

type Entry = { readonly version: number; readonly members: Buffer };

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

  /** The members as JSON (`"slug":…,"region":…`), without braces, in no particular order; undefined: to be loaded. */
  get({ id, detailsVersion }: WantedDetails): Buffer | undefined {
    const entry = this.#entries.get(id);
    if (entry === undefined || entry.version < detailsVersion) return undefined;
    this.#entries.delete(id);
    this.#entries.set(id, entry);
    return entry.members;
  }

  /** Afterwards `get` knows them, unless they are too many. Throws what the database throws. */
  async load(wanted: readonly WantedDetails[]): Promise<void> {
    const missing = wanted.filter((each) => this.get(each) === undefined).map(({ id }) => id);
    if (missing.length === 0) return;
    for (const { id, version, details } of await listDetails(this.#db, missing)) {
      const members = JSON.stringify(details).slice(1, -1).replaceAll(PUBLIC_URL_SCHEME, this.#publicUrl());
      this.#keep(id, { version, members: Buffer.from(members) });
    }
  }

  #keep(id: string, entry: Entry): void {
    this.#entries.delete(id);
    this.#entries.set(id, entry);
    if (this.#entries.size <= ENTRIES_MAX) return;
    const [longestUnused = id] = this.#entries.keys();
    this.#entries.delete(longestUnused);
  }
}
