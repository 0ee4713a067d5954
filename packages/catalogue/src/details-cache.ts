/** Stored details are valid for one version, and an element of a response for one stamp. */
import { crc32 } from 'node:zlib';
import type { ProductSummary } from './catalogue.ts';

/** About 4 KB each. */
const ENTRIES_MAX = 20_000;

/** Stored details contain this, since the public URL may change at each start. */
export const PUBLIC_URL_SCHEME = 'keyport-public-url:';

export function withPublicUrl(details: string, publicUrl: string): string {
  return details.replaceAll(PUBLIC_URL_SCHEME, publicUrl);
}

type Entry = {
  readonly version: number;
  /** `"slug":…,"region":…`, without braces. */
  readonly members: Buffer;
  element: Buffer;
  elementStampMicros: number;
};

const COMMA = Buffer.from(',');
const END = Buffer.from('}');
const NOTHING = Buffer.alloc(0);

export type StoredDetails = {
  readonly id: number;
  readonly version: number;
  /** The members of ProductDetail that an operator sets. */
  readonly details: Readonly<Record<string, unknown>>;
};

export type LoadDetails = (ids: readonly number[]) => Promise<readonly StoredDetails[]>;

export class DetailsCache {
  readonly #load: LoadDetails;
  readonly #publicUrl: () => string;
  #entries = new Map<number, Entry>();
  #entriesBefore = new Map<number, Entry>();

  constructor(load: LoadDetails, publicUrl: () => string) {
    this.#load = load;
    this.#publicUrl = publicUrl;
  }

  get mark(): number {
    return crc32(this.#publicUrl());
  }

  /** The product's element after a comma; undefined if its details must be loaded. */
  element(id: number, { members, stampMicros, detailsVersion }: ProductSummary): Buffer | undefined {
    const entry = this.#entries.get(id) ?? this.#recall(id);
    if (entry === undefined || entry.version < detailsVersion) return undefined;
    if (entry.elementStampMicros !== stampMicros) {
      entry.element = Buffer.concat([COMMA, members, COMMA, entry.members, END]);
      entry.elementStampMicros = stampMicros;
    }
    return entry.element;
  }

  async load(ids: readonly number[]): Promise<void> {
    if (ids.length === 0) return;
    for (const { id, version, details } of await this.#load(ids)) {
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
