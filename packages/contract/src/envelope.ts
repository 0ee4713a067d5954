/**
 * The two shapes of every answer under /export/v1 and /admin/v1: data with a traceId, or an error.
 * Spec: "Errors", "Pagination"; A13. `privateDebug` is left out on purpose, so that no serialiser can emit it.
 */
import { type Static, type TSchema, Type } from 'typebox';
import { ERROR_CODES } from './errors.ts';
import { ITEMS_PER_PAGE, oneOf, PAGE_MAX, strictObject } from './formats.ts';

export const TraceId = Type.String({
  pattern: '^[0-9a-f]{32}$',
  description: 'Id of this request, to be quoted to the account manager.',
  examples: ['4bf92f3577b34da6a3ce929d0e0e4736'],
});

export const Meta = strictObject(
  {
    page: Type.Integer({ minimum: 1, maximum: PAGE_MAX }),
    itemsPerPage: Type.Integer({ enum: [...ITEMS_PER_PAGE] }),
    totalResults: Type.Integer({ minimum: 0 }),
    hasNext: Type.Boolean(),
    hasPrevious: Type.Boolean(),
  },
  { title: 'Pagination' },
);

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

export function dataEnvelope<Data extends TSchema>(data: Data) {
  return strictObject({ traceId: Type.Optional(TraceId), data });
}

export function pageEnvelope<Item extends TSchema>(item: Item) {
  return strictObject({ traceId: Type.Optional(TraceId), data: Type.Array(item), meta: Meta });
}

export const SubError = strictObject({
  code: oneOf(ERROR_CODES, 'Error code.'),
  field: Type.Optional(
    Type.String({ description: 'Path into the request.', examples: ['body.items[0].manual.quantity'] }),
  ),
  message: Type.String(),
});
export type SubError = Static<typeof SubError>;

export const ErrorEnvelope = strictObject(
  {
    traceId: Type.Optional(TraceId),
    error: strictObject({
      code: oneOf(ERROR_CODES, 'Error code.'),
      message: Type.String(),
      status: Type.Integer({ minimum: 400, maximum: 599 }),
      data: Type.Optional(Type.Record(Type.String(), Type.Unknown())),
      errors: Type.Optional(Type.Union([Type.Array(SubError), Type.Null()])),
      doc_url: Type.Optional(Type.String({ format: 'uri' })),
    }),
  },
  { title: 'Error' },
);
export type ErrorEnvelope = Static<typeof ErrorEnvelope>;
