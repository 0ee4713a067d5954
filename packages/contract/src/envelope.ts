/**
 * The two shapes of every response under /export/v1 and /admin/v1: data with a traceId, or an error.
 * R2, R4, A13. `privateDebug` is left out on purpose, so that no serialiser can emit it.
 */
import { type Static, type TSchema, Type } from 'typebox';
import { ERROR_CODES, ERRORS, type ErrorSpec } from './errors.ts';
import {
  ITEMS_PER_PAGE,
  itemsPerPage,
  namedObject,
  nullable,
  objectBy,
  openEnum,
  PAGE_MAX,
  Page,
  strictObject,
} from './formats.ts';

export const TraceId = Type.String({
  pattern: '^[0-9a-f]{32}$',
  description: 'Id of this request, to be quoted to the account manager.',
  examples: ['4bf92f3577b34da6a3ce929d0e0e4736'],
});

const Meta = namedObject('Pagination', {
  page: Type.Integer({ minimum: 1, maximum: PAGE_MAX }),
  itemsPerPage: Type.Integer({ enum: [...ITEMS_PER_PAGE] }),
  totalResults: Type.Integer({ minimum: 0 }),
  hasNext: Type.Boolean(),
  hasPrevious: Type.Boolean(),
});

export type PageMeta = {
  page: number;
  itemsPerPage: number;
  totalResults: number;
  hasNext: boolean;
  hasPrevious: boolean;
};

export function buildMeta(paging: { page: number; itemsPerPage: number; totalResults: number }): PageMeta {
  return {
    ...paging,
    hasNext: paging.page * paging.itemsPerPage < paging.totalResults,
    hasPrevious: paging.page > 1 && paging.totalResults > 0,
  };
}

export const CURSOR_LIMIT_DEFAULT = 100;

const CURSOR_LIMIT_MAX = 1000;

/** Completes a sentence about a cursor. */
export const CURSOR_RULE = 'must be the nextCursor of a response to the same list';

const Limit = Type.Integer({
  minimum: 1,
  maximum: CURSOR_LIMIT_MAX,
  default: CURSOR_LIMIT_DEFAULT,
  description: 'At most this many elements.',
  'x-rule': `must be a whole number from 1 to ${CURSOR_LIMIT_MAX}`,
});

/** Query parameters of what is read page by page with a cursor; `rule` completes a sentence about the cursor. */
export const cursorQuery = (rule: string, maxLength = 200) => ({
  cursor: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength,
      description: 'The `nextCursor` of the previous response, unchanged. Left out: from the beginning.',
      'x-rule': rule,
    }),
  ),
  limit: Type.Optional(Limit),
});

/** Seconds that a request may be held while there is nothing new (A126). */
const WAIT_SECONDS_MAX = 30;

/** The query parameter of feeds whose readers may wait for news. */
export const waitQuery = {
  wait: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: WAIT_SECONDS_MAX,
      default: 0,
      description: 'For how many seconds the response may be held while there is nothing new.',
      'x-rule': `must be a whole number of seconds from 0 to ${WAIT_SECONDS_MAX}`,
    }),
  ),
};

/** Of operators' lists: a cursor may hold a name. */
export const CURSOR_QUERY = cursorQuery(CURSOR_RULE, 1000);

/** Of operators' lists that are read by page numbers, or by cursor when one of its parameters is given (A410): no defaults. */
export const PAGE_OR_CURSOR_QUERY = {
  page: withoutDefault(Page),
  itemsPerPage: withoutDefault(itemsPerPage(100)),
  cursor: CURSOR_QUERY.cursor,
  limit: withoutDefault(Limit),
};

function withoutDefault<Schema extends TSchema>(schema: Schema) {
  const { default: _default, ...rest } = schema as Schema & { default?: unknown };
  return Type.Optional(rest as unknown as Schema);
}

export const CursorMeta = namedObject('CursorMeta', {
  nextCursor: nullable(Type.String(), { description: 'For the next page; null when there is none.' }),
  hasMore: Type.Boolean({
    description:
      'A page can be shorter than `limit`, even empty, while there is more: go on with `nextCursor`.',
  }),
});

export type CursorMeta = { nextCursor: string | null; hasMore: boolean };

export function cursorEnvelope<Item extends TSchema>(item: Item) {
  return strictObject({ traceId: Type.Optional(TraceId), data: Type.Array(item), meta: CursorMeta });
}

/** Of a list with page numbers that can be read by cursor as well (A410). */
export function pageOrCursorEnvelope<Item extends TSchema>(item: Item) {
  return strictObject({
    traceId: Type.Optional(TraceId),
    data: Type.Array(item),
    meta: Type.Union([Meta, CursorMeta]),
  });
}

export function dataEnvelope<Data extends TSchema>(data: Data) {
  return strictObject({ traceId: Type.Optional(TraceId), data });
}

export function pageEnvelope<Item extends TSchema>(item: Item) {
  return strictObject({ traceId: Type.Optional(TraceId), data: Type.Array(item), meta: Meta });
}

const CodeOfError = openEnum(ERROR_CODES, 'Decide by it; treat one that you do not know by its status.', {
  title: 'ErrorCode',
});

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
    message: Type.String({ description: 'For people; it may change.' }),
    status: Type.Integer({ minimum: 400, maximum: 599, description: 'The HTTP status.' }),
    data: Type.Optional(
      Type.Record(Type.String(), Type.Unknown(), { description: 'Facts about the error, by its `code`.' }),
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
