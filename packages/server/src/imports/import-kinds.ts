import { IMPORT_LINES, type ImportKind } from '@keyport/contract/catalogue/imports';
import { isSpoilt, SPOILT } from '@keyport/core/product-code';
import { compileCheck } from '@keyport/http/validation/validation';
import type { Static, TSchema } from 'typebox';
import type { Tx } from '../db/schema.ts';
import {
  listOfferOwners,
  type OfferRow,
  type ProductRow,
  previewOffers,
  previewProducts,
  type SellerRow,
  saveOffers,
  saveProducts,
} from '../listings/catalogue.sql.ts';
import {
  type KeyStock,
  type OfferChange,
  offerRow,
  type PriceRow,
  previewKeys,
  priceRow,
  productRow,
  readKey,
  sellerRow,
  unknownReference,
  type Written,
  type WrittenOffers,
  writeKeys,
  writeOffers,
  writePrices,
  writeProducts,
  writeSellers,
} from '../listings/catalogue.ts';
import type { NewCode } from '../stock/product-keys.ts';
import type { Seen } from './import-runs.sql.ts';

/** `Row`: a line as stored in the database. */
export type LineKind<Row> = {
  readonly kind: ImportKind;
  readonly parse: (
    value: unknown,
  ) => { readonly row: Row; readonly isTrimmed?: boolean } | { readonly problem: string };
  /** A batch never has two rows of one identity: the later row must see the effect of the earlier. */
  readonly toIdentity: (row: Row) => string | number | undefined;
  /** If `isRehearsal`, the caller rolls back, so nothing needs to be written. `run` is noted with new keys. */
  readonly write: (tx: Tx, rows: readonly Row[], isRehearsal: boolean, run: number) => Promise<WrittenBatch>;
};

export type WrittenBatch = {
  readonly written: number;
  readonly unchanged: number;
  readonly rejections: ReadonlyMap<number, string>;
  readonly changedProductIds: readonly number[];
  readonly changes: readonly OfferChange[];
  readonly seen: readonly Seen[];
};

export function withLineKind<Result>(
  kind: ImportKind,
  stock: KeyStock,
  use: <Row>(lines: LineKind<Row>) => Result,
): Result {
  switch (kind) {
    case 'sellers':
      return use(SELLERS);
    case 'products':
      return use(PRODUCTS);
    case 'offers':
      return use(OFFERS);
    case 'prices':
      return use(PRICES);
    case 'keys':
      return use({
        ...KEYS,
        write: (tx, codes, isRehearsal, run) =>
          writeKeyLines(tx, isRehearsal ? previewKeys : writeKeys, stock, codes, run),
      });
  }
}

const SELLERS: LineKind<SellerRow> = {
  kind: 'sellers',
  parse: buildParser(IMPORT_LINES.sellers, (line) => sellerRow(line.id, line)),
  toIdentity: ({ id }) => id,
  write: async (tx, rows) => ({
    ...summarize(await writeSellers(tx, rows)),
    seen: [{ kind: 'seller', uuids: rows.map(({ id }) => id) }],
  }),
};

const PRODUCTS: LineKind<ProductRow> = {
  kind: 'products',
  parse: buildParser(IMPORT_LINES.products, (line) => productRow(line.id, line)),
  toIdentity: ({ id }) => id,
  write: async (tx, rows, isRehearsal) => ({
    ...summarize(await writeProducts(tx, rows, isRehearsal ? previewProducts : saveProducts)),
    seen: [{ kind: 'product', numbers: rows.map(({ id }) => id) }],
  }),
};

const OFFERS: LineKind<OfferRow> = {
  kind: 'offers',
  parse: buildParser(IMPORT_LINES.offers, (line) => offerRow(line.id, line)),
  toIdentity: ({ id }) => id,
  write: async (tx, rows, isRehearsal) => ({
    ...summarize(await writeOffers(tx, rows, isRehearsal ? previewOffers : saveOffers)),
    seen: [
      { kind: 'seller', uuids: [...new Set(rows.map(({ sellerId }) => sellerId))] },
      { kind: 'offer', uuids: rows.map(({ id }) => id) },
    ],
  }),
};

const parsePrice = buildParser(IMPORT_LINES.prices, priceRow);

const PRICES: LineKind<PriceRow> = {
  kind: 'prices',
  parse(value) {
    const parsed = parsePrice(value);
    if ('problem' in parsed) return parsed;
    const { id, productId, sellerId } = parsed.row;
    const isNamed = id !== undefined || (productId !== undefined && sellerId !== undefined);
    return isNamed ? parsed : { problem: 'id is required, or productId and sellerId' };
  },
  toIdentity: () => undefined,
  async write(tx, rows, isRehearsal) {
    const { offers, ...written } = await writePrices(tx, rows, { isRehearsal });
    return {
      ...summarize(written),
      seen: [
        { kind: 'seller', uuids: [...new Set(offers.map(({ sellerId }) => sellerId))] },
        { kind: 'offer', uuids: offers.map(({ id }) => id) },
      ],
    };
  },
};

const parseKey = buildParser(IMPORT_LINES.keys, readKey);

const KEYS: Omit<LineKind<NewCode>, 'write'> = {
  kind: 'keys',
  parse(value) {
    const parsed = parseKey(value);
    if ('problem' in parsed) return parsed;
    return 'problem' in parsed.row ? { problem: `code ${parsed.row.problem}` } : parsed.row;
  },
  toIdentity: () => undefined,
};

/** Words problems like those of request bodies, but does not name the line itself. */
function buildParser<Line extends TSchema, Row>(schema: Line, toRow: (line: Static<Line>) => Row) {
  const check = compileCheck(schema, 'line');
  return (value: unknown): { row: Row } | { problem: string } => {
    const spoilt = Object.entries(Object(value)).flatMap(([name, cell]) =>
      typeof cell === 'string' && isSpoilt(cell) ? `${name} ${SPOILT}` : [],
    );
    if (spoilt.length > 0) return { problem: spoilt.join('; ') };
    const problems = check(value).map(({ message }) => message.replace(/^line\.|\.$/g, ''));
    return problems.length > 0 ? { problem: problems.join('; ') } : { row: toRow(value as Static<Line>) };
  };
}

function summarize({
  outcomes,
  changedProductIds,
  changes = [],
}: Written & Partial<WrittenOffers>): Omit<WrittenBatch, 'seen'> {
  const rejections = new Map<number, string>();
  let unchanged = 0;
  for (const [index, outcome] of outcomes.entries()) {
    if (typeof outcome !== 'string') rejections.set(index, `${outcome.field} ${outcome.message}`);
    else if (outcome === 'unchanged') unchanged += 1;
  }
  const written = outcomes.length - unchanged - rejections.size;
  return { written, unchanged, rejections, changedProductIds, changes };
}

async function writeKeyLines(
  tx: Tx,
  add: typeof writeKeys,
  stock: KeyStock,
  codes: readonly NewCode[],
  run: number,
): Promise<WrittenBatch> {
  const offerIds = [...new Set(codes.map(({ offerId }) => offerId))];
  const known = new Set((await listOfferOwners(tx, offerIds)).map(({ id }) => id));
  const { field, message } = unknownReference('offerId', 'offer');
  const rejections = new Map<number, string>();
  for (const [index, { offerId }] of codes.entries()) {
    if (!known.has(offerId)) rejections.set(index, `${field} ${message}`);
  }
  const stored = codes.filter(({ offerId }) => known.has(offerId));
  const { added, duplicates, changedProductIds, codeMacs } = await add(tx, stock, stored, run);
  const seen: Seen[] = [
    { kind: 'offer', uuids: [...known] },
    { kind: 'code', macs: codeMacs },
  ];
  return { written: added, unchanged: duplicates, rejections, changedProductIds, changes: [], seen };
}
