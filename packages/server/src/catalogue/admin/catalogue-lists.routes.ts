/** Lists sellers, products, offers and the keys of an offer, page by page in the order of their ids. */
import { CURSOR_LIMIT_DEFAULT, CURSOR_RULE, type CursorMeta } from '@keyport/contract/envelope';
import type { Custody } from '../../custody/product-keys.ts';
import type { Database } from '../../db/database.ts';
import { invalidField, requireFound } from '../../http/api-error.ts';
import type { OperationHandlers } from '../../http/operation.ts';
import { findOffer } from './catalogue.sql.ts';
import { formatOffer, formatProduct } from './catalogue.ts';
import { listKeys, listOffers, listProducts, listSellers } from './catalogue-lists.sql.ts';

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
const NUMBER = /^[1-9][0-9]{0,14}$/;

/** How many characters of a code are shown: enough to recognise it, too few to use it. */
const SHOWN_LENGTH = 4;
const SHOWN_SHARE_MAX = 1 / 3;

export function buildCatalogueListHandlers({
  database: { kysely },
  openCodes,
}: {
  readonly database: Database;
  readonly openCodes: Custody['openCodes'];
}): Pick<OperationHandlers, 'listSellers' | 'listCatalogueProducts' | 'listOffers' | 'listOfferKeys'> {
  return {
    async listSellers({ query }) {
      const { after, limit } = rangeOf(query, 'sellers', UUID);
      const rows = await listSellers(kysely, { after, count: limit + 1 });
      const { page, meta } = pageOf(rows, 'sellers', limit);
      return { status: 200, data: page, meta };
    },

    async listCatalogueProducts({ query }) {
      const { after, limit } = rangeOf(query, 'products', NUMBER);
      const range = { after: numberOf(after), count: limit + 1 };
      const rows = await listProducts(kysely, range, { checkoutClass: query.checkoutClass });
      const { page, meta } = pageOf(rows, 'products', limit);
      return { status: 200, data: page.map(formatProduct), meta };
    },

    async listOffers({ query }) {
      const { after, limit } = rangeOf(query, 'offers', UUID);
      const { sellerId, productId, status } = query;
      const filter = { sellerId, productId: numberOf(productId), status };
      const rows = await listOffers(kysely, { after, count: limit + 1 }, filter);
      const { page, meta } = pageOf(rows, 'offers', limit);
      const data = page.map((offer) => ({ ...formatOffer(offer), quantity: offer.quantity }));
      return { status: 200, data, meta };
    },

    async listOfferKeys({ params, query }) {
      const list = `keys/${params.offerId.toLowerCase()}`;
      const { after, limit } = rangeOf(query, list, NUMBER);
      const offer = requireFound(await findOffer(kysely, params.offerId), 'offer');
      const range = { after: numberOf(after), count: limit + 1 };
      const { state, kind } = query;
      const { page, meta } = pageOf(await listKeys(kysely, offer.id, range, { state, kind }), list, limit);
      const codes = await openCodes(kysely, page);
      const data = page.map((key, index) => ({
        id: String(key.id),
        kind: key.kind,
        state: key.state,
        maskedCode: mask(codes[index] ?? ''),
        orderId: key.orderId,
      }));
      return { status: 200, data, meta };
    },
  };
}

/** Where a page begins, by the cursor's key in the form that the list's keys have. A cursor names its list. */
function rangeOf(
  { cursor, limit = CURSOR_LIMIT_DEFAULT }: { readonly cursor?: string; readonly limit?: number },
  list: string,
  keyForm: RegExp,
): { after: string | undefined; limit: number } {
  if (cursor === undefined) return { after: undefined, limit };
  const after = Buffer.from(cursor, 'base64url').toString('latin1').slice(`${list}:`.length);
  if (!keyForm.test(after) || encodeCursor(list, after) !== cursor)
    throw invalidField('query.cursor', CURSOR_RULE);
  return { after, limit };
}

/** Of rows that are one more than the page has when there is another page. */
function pageOf<Row extends { readonly id: string | number }>(
  rows: readonly Row[],
  list: string,
  limit: number,
): { page: Row[]; meta: CursorMeta } {
  const page = rows.slice(0, limit);
  const hasMore = rows.length > limit;
  const last = page.at(-1);
  const nextCursor = hasMore && last !== undefined ? encodeCursor(list, String(last.id)) : null;
  return { page, meta: { nextCursor, hasMore } };
}

function encodeCursor(list: string, key: string): string {
  return Buffer.from(`${list}:${key}`, 'latin1').toString('base64url');
}

function numberOf(text: string | undefined): number | undefined {
  return text === undefined ? undefined : Number(text);
}

function mask(code: string): string {
  const characters = Array.from(code);
  const shown = Math.min(SHOWN_LENGTH, Math.floor(characters.length * SHOWN_SHARE_MAX));
  return `…${characters.slice(characters.length - shown).join('')}`;
}
