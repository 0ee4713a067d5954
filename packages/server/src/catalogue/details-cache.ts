/**
 * The details of products, ready to be sent, in a bounded cache. What the database says of a product is good for one
 * version of its details, and the whole element of a response for one stamp; the catalogue in memory knows which are
 * current.
 */
import { crc32 } from 'node:zlib';
import type { Db } from '../db/schema.ts';
import { listDetails } from './products.sql.ts';

/** About 4 KB each. The products that are asked for stay: between half of it and all of it is kept. */
const ENTRIES_MAX = 20_000;

/** In stored details it stands for the service's own public URL, which may change from start to start. */
export const PUBLIC_URL_SCHEME = 'keyport-public-url:';

/** Details as text of JSON. */
export function withPublicUrl(details: string, publicUrl: string): string {
  return details.replaceAll(PUBLIC_URL_SCHEME, publicUrl);
}

/** What the catalogue in memory says of a product on offer; the offers feature provides it through app.ts. */
export type ProductSummary = {
  /** Where its JSON is, with the members that depend on offers, without the brace that closes it. To be copied at once. */
  readonly slab: Buffer;
  readonly start: number;
  readonly end: number;
  readonly stampMicros: number;
  readonly detailsVersion: number;
};

type Entry = {
  readonly version: number;
  /** `"slug":…,"region":…`, without braces. */
  readonly members: Buffer;
  /** The whole element, with a comma before it, as it was at this stamp. */
  element: Buffer;
  elementStampMicros: number;
};

const COMMA = Buffer.from(',');
const END = Buffer.from('}');
const NOTHING = Buffer.alloc(0);

export class DetailsCache {
  readonly #db: Db;
  readonly #publicUrl: () => string;
  /** Those that were asked for lately, and those that were asked for before; what is in neither is forgotten. */
  #entries = new Map<number, Entry>();
  #entriesBefore = new Map<number, Entry>();

  constructor(db: Db, publicUrl: () => string) {
    this.#db = db;
    this.#publicUrl = publicUrl;
  }

  /** What elements show beside their products' versions: a number for a tag. */
  get mark(): number {
    return crc32(this.#publicUrl());
  }

  /** The product as an element of the response, with a comma before it; undefined when its details are to be loaded. */
  element(id: number, { slab, start, end, stampMicros, detailsVersion }: ProductSummary): Buffer | undefined {
    const entry = this.#entries.get(id) ?? this.#recall(id);
    if (entry === undefined || entry.version < detailsVersion) return undefined;
    if (entry.elementStampMicros !== stampMicros) {
      entry.element = Buffer.concat([COMMA, slab.subarray(start, end), COMMA, entry.members, END]);
      entry.elementStampMicros = stampMicros;
    }
    return entry.element;
  }

  /** Afterwards `element` knows them. Throws what the database throws. */
  async load(ids: readonly number[]): Promise<void> {
    if (ids.length === 0) return;
    for (const { id, version, details } of await listDetails(this.#db, ids)) {
      const text = withPublicUrl(JSON.stringify(details).slice(1, -1), this.#publicUrl());
      this.#keep(id, { version, members: Buffer.from(text), element: NOTHING, elementStampMicros: 0 });
    }
  }

  #recall(id: number): Entry | undefined {
    const entry = this.#entriesBefore.get(id);
    if (entry !== undefined) this.#keep(id, entry);
    return entry;
  }

  #keep(id: number, entry: Entry): void {
    if (this.#entries.size >= ENTRIES_MAX / 2) {
      this.#entriesBefore = this.#entries;
      this.#entries = new Map();
    }
    this.#entries.set(id, entry);
  }
}
