/** Fetches only URLs in the catalogue, so that browsers load nothing from other hosts. A595. */
import { ApiError } from '@keyport/http/replies/api-error';
import type { Reply } from '@keyport/http/replies/reply';
import type { Db } from '../db/schema.ts';
import { readProduct } from '../listings/read-listings.ts';
import type { Fetched, FetchLimits } from '../webhooks/delivery/sender.ts';

const KINDS = ['thumbnail', 'portraitImage', 'coverImage'] as const;
const TYPES = new Set(['image/png', 'image/jpeg', 'image/webp', 'image/gif', 'image/avif', 'image/svg+xml']);
const BYTES_MAX = 2_000_000;
const KEPT_BYTES_MAX = 32_000_000;
/** An entry counts as at least this many bytes, so that small pictures and failures are limited too. */
const ENTRY_BYTES = 20_000;
const KEPT_MS = 3_600_000;
const FAILURE_KEPT_MS = 60_000;
/** A browser opens only six connections to the service, which the console's lists need too. */
const TIMEOUT_MS = 3_000;
const FETCHES_MAX = 16;

type Entry = { readonly picture: Promise<Fetched | undefined>; until: number; bytes: number };

export type PicturesDeps = {
  readonly db: Db;
  readonly publicUrl: () => string;
  readonly fetch: (url: string, limits: FetchLimits) => Promise<Fetched | undefined>;
};

/** The response has no body if there is no picture or it cannot be fetched. */
export function createPictures({ db, publicUrl, fetch }: PicturesDeps) {
  const kept = new Map<string, Entry>();
  let fetching = 0;

  async function load(url: string): Promise<Fetched | undefined> {
    const known = kept.get(url);
    kept.delete(url);
    const isFresh = known !== undefined && known.until > Date.now();
    if (!isFresh && fetching >= FETCHES_MAX) return undefined;
    const entry = isFresh ? known : begin(url);
    kept.set(url, entry);
    return entry.picture;
  }

  function begin(url: string): Entry {
    fetching += 1;
    const limits = { bytesMax: BYTES_MAX, timeoutMs: TIMEOUT_MS };
    const picture = fetch(url, limits).then((fetched) => {
      fetching -= 1;
      const image = fetched !== undefined && TYPES.has(fetched.type) ? fetched : undefined;
      entry.until = Date.now() + (image === undefined ? FAILURE_KEPT_MS : KEPT_MS);
      entry.bytes += image?.bytes.length ?? 0;
      makeRoom();
      return image;
    });
    const entry: Entry = { picture, until: Number.POSITIVE_INFINITY, bytes: ENTRY_BYTES };
    return entry;
  }

  function makeRoom(): void {
    let sum = [...kept.values()].reduce((bytes, entry) => bytes + entry.bytes, 0);
    for (const [url, { bytes }] of kept) {
      if (sum <= KEPT_BYTES_MAX) return;
      kept.delete(url);
      sum -= bytes;
    }
  }

  return async (productId: string, kind: string): Promise<Reply> => {
    const name = KINDS.find((known) => known === kind);
    if (name === undefined || !/^[0-9]{14}$/.test(productId)) throw new ApiError('not-found');
    const { [name]: url } = await readProduct(db, productId, publicUrl());
    if (url?.startsWith(`${publicUrl()}/media/products/`)) return { status: 302, headers: { location: url } };
    const picture = url === null ? undefined : await load(url);
    if (picture === undefined) return { status: 204, headers: { 'cache-control': 'private, max-age=60' } };
    return {
      status: 200,
      bytes: picture.bytes,
      headers: {
        'cache-control': 'private, max-age=300',
        'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'; sandbox",
        'content-type': picture.type,
        'x-content-type-options': 'nosniff',
      },
    };
  };
}
