/**
 * A response contains either data or an error (R2). Schemas deliberately omit `privateDebug`, so that it never
 * reaches a client.
 */
import { type Static, type TSchema, Type } from 'typebox';
import { ERROR_CODES, ERRORS, type ErrorSpec } from './errors.ts';
import { ITEMS_PER_PAGE, itemsPerPage, PAGE_MAX, Page } from './formats.ts';
import { namedObject, nullable, objectBy, oneOf, openEnum, strictObject, wholeNumber } from './schema.ts';

export const TraceId = Type.String({
  pattern: '^[0-9a-f]{32}$',
  description: 'Id of this request; quote it to your account manager.',
  examples: ['4bf92f3577b34da6a3ce929d0e0e4736'],
});

const Meta = namedObject('Pagination', {
  page: Type.Integer({ minimum: 1, maximum: PAGE_MAX }),
  itemsPerPage: Type.Integer({ enum: [...ITEMS_PER_PAGE] }),
  totalResults: Type.Integer({ minimum: 0 }),
  hasNext: Type.Boolean(),
  hasPrevious: Type.Boolean(),
});

export type PageMeta = Static<typeof Meta>;

type MetaInput = Pick<PageMeta, 'page' | 'itemsPerPage' | 'totalResults'> & {
  readonly after?: unknown;
};

/** The element `after` precedes the page. */
export function buildMeta({ page, itemsPerPage, totalResults, after }: MetaInput): PageMeta {
  return {
    page,
    itemsPerPage,
    totalResults,
    hasNext: page * itemsPerPage < totalResults,
    hasPrevious: after !== undefined || (page > 1 && totalResults > 0),
  };
}

export const CURSOR_LIMIT_DEFAULT = 100;
export const CURSOR_RULE = 'must be the nextCursor of an earlier page of the same list';

const Limit = wholeNumber(1, 1000, 'At most this many elements.', { default: CURSOR_LIMIT_DEFAULT });

export const cursorQuery = (rule: string, maxLength = 200) => ({
  cursor: Type.String({
    minLength: 1,
    maxLength,
    description: 'The `nextCursor` of the previous response, unchanged. Default: from the beginning.',
    'x-rule': rule,
  }),
  limit: Limit,
});

const WAIT_SECONDS_MAX = 30;

export const waitQuery = {
  wait: Type.Integer({
    minimum: 0,
    maximum: WAIT_SECONDS_MAX,
    default: 0,
    description: 'The number of seconds that the request may wait while there is nothing new.',
    'x-rule': `must be a whole number of seconds from 0 to ${WAIT_SECONDS_MAX}`,
  }),
};

/** The query of every operation that returns CSV files. */
export const FILE_QUERY = {
  format: oneOf(
    ['spreadsheet'],
    'Returns a CSV file for spreadsheet programs, whatever `Accept` says: with a byte order mark, headings for people, ids of 12 and more digits as text (`="…"`), and an apostrophe before texts that begin like a formula. Programs send `Accept: text/csv` instead and get the names of members and every text exactly.',
  ),
};

/** The paging of operators' lists. The cursor is long, because it may contain a name. */
export const CURSOR_QUERY = {
  ...cursorQuery(CURSOR_RULE, 1000),
  ...FILE_QUERY,
  count: Type.Literal('true', {
    description:
      'Adds to `meta` how many elements match, and the sums of their amounts. Does not change the page.',
    'x-rule': 'must be true, or absent',
  }),
};

/** Without defaults, because the sent parameters select the kind of paging. */
export const PAGE_OR_CURSOR_QUERY = {
  page: withoutDefault(Page),
  itemsPerPage: withoutDefault(itemsPerPage(100)),
  cursor: CURSOR_QUERY.cursor,
  limit: withoutDefault(Limit),
  ...FILE_QUERY,
  count: CURSOR_QUERY.count,
};

function withoutDefault<Schema extends TSchema>(schema: Schema) {
  const { default: _default, ...rest } = schema as Schema & { default?: unknown };
  return rest as unknown as Schema;
}

export const CursorMeta = namedObject('CursorMeta', {
  nextCursor: nullable(Type.String(), { description: 'The cursor of the next page; null if there is none.' }),
  hasMore: Type.Boolean({
    description:
      'Whether there are more pages. A page can be shorter than `limit`, even empty: continue with `nextCursor`.',
  }),
});
export type CursorMeta = Static<typeof CursorMeta>;

const Matches = namedObject('Matches', {
  count: wholeNumber(0, 10_000, 'The number of elements that match, on all pages.'),
  isAtLeast: Type.Boolean({
    description: 'Whether there may be more: counting ends after 10,000 elements of the list.',
  }),
  sums: Type.Array(strictObject({ currency: Type.String(), amount: Type.String() }), {
    description:
      'The sums of their amounts by currency; empty if the list has none, or if there may be more.',
  }),
});

/** The list counts its matches on request. */
export const ListMeta = namedObject('ListMeta', {
  ...CursorMeta.properties,
  matches: Type.Optional(Matches),
});
export type ListMeta = Static<typeof ListMeta>;

/** For feeds, which never end. */
export const FEED_META = {
  nextCursor: Type.String({
    description: 'The cursor for the next request. Store it together with your copy of the data.',
  }),
  hasMore: Type.Boolean({
    description: 'Whether there is more to read. If so, request the next page immediately.',
  }),
};

export function listEnvelope<Data extends TSchema, ItsMeta extends TSchema>(data: Data, meta: ItsMeta) {
  return strictObject({ traceId: Type.Optional(TraceId), data, meta });
}

export function cursorEnvelope<Item extends TSchema>(item: Item) {
  return listEnvelope(Type.Array(item), CursorMeta);
}

export function countedEnvelope<Item extends TSchema>(item: Item) {
  return listEnvelope(Type.Array(item), ListMeta);
}

export function pageOrCursorEnvelope<Item extends TSchema>(item: Item) {
  return listEnvelope(Type.Array(item), Type.Union([Meta, ListMeta]));
}

export function dataEnvelope<Data extends TSchema>(data: Data) {
  return strictObject({ traceId: Type.Optional(TraceId), data });
}

export function pageEnvelope<Item extends TSchema>(item: Item) {
  return listEnvelope(Type.Array(item), Meta);
}

const CodeOfError = openEnum(
  ERROR_CODES,
  'Base decisions on this code; handle an unknown code by its status.',
  {
    title: 'ErrorCode',
  },
);

export const SubError = namedObject('SubError', {
  code: CodeOfError,
  field: Type.Optional(
    Type.String({ description: 'Path into the request.', examples: ['body.items[0].manual.quantity'] }),
  ),
  message: Type.String(),
});
export type SubError = Static<typeof SubError>;

const ERROR_DATA = Object.fromEntries(
  Object.entries<ErrorSpec>(ERRORS).flatMap(([code, { data }]) => (data === undefined ? [] : [[code, data]])),
);

const ErrorDetails = objectBy(
  'ErrorDetails',
  {
    code: CodeOfError,
    message: Type.String({ description: 'Human-readable; it may change.' }),
    status: Type.Integer({ minimum: 400, maximum: 599, description: 'The HTTP status.' }),
    data: Type.Optional(
      Type.Record(Type.String(), Type.Unknown(), {
        description: 'Facts about the error; their form depends on `code`.',
      }),
    ),
    errors: Type.Optional(Type.Union([Type.Array(SubError), Type.Null()])),
    doc_url: Type.Optional(Type.String({ format: 'uri' })),
  },
  { member: 'code', suffix: 'Error', data: ERROR_DATA },
);

export const ErrorEnvelope = namedObject('ErrorResponse', {
  traceId: Type.Optional(TraceId),
  error: ErrorDetails,
});
export type ErrorEnvelope = Static<typeof ErrorEnvelope>;
