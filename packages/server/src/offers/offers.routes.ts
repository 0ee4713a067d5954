/** The catalogue reads: the list, the single product and its alias. Spec: operations 3 and 4; A3, A4. */
import { buildMeta, type PageMeta } from '@keyport/contract/envelope';
import { must } from '@keyport/core/assert';
import { parseDateTime } from '@keyport/core/date-time';
import { parseMaxPrice } from '@keyport/core/money';
import { ApiError, invalidField } from '../http/api-error.ts';
import type { OperationHandlers, OperationReply, OperationRequest } from '../http/operation.ts';
import type { Catalogue, OfferFilter } from './catalogue.ts';

/** Spec: Limits, itemsPerPage default for product offers. */
const ITEMS_PER_PAGE_DEFAULT = 20;

type OfferHandlers = Pick<OperationHandlers, 'listProductOffers' | 'getProduct' | 'getProductOffers'>;

/** What the look-up and its alias have in common (A3). */
type LookUp = Pick<OperationRequest<'getProduct'>, 'params' | 'query' | 'traceId'>;

export function buildOfferHandlers({ catalogue }: { readonly catalogue: Catalogue }): OfferHandlers {
  const lookUp = ({ params: { productId }, query, traceId }: LookUp): OperationReply => {
    const found = catalogue.lookUp(productId, parseOfferFilter(query));
    if (found === undefined) throw new ApiError('product-not-found', { data: { productId } });
    const bytes = Buffer.concat([
      Buffer.from(`{"traceId":"${traceId}","data":`),
      ...found.pieces,
      Buffer.from('}'),
    ]);
    return { status: 200, bytes };
  };
  return {
    getProduct: lookUp,
    getProductOffers: lookUp,
    listProductOffers: ({ query, traceId }) => {
      const page = query.page ?? 1;
      const itemsPerPage = query.itemsPerPage ?? ITEMS_PER_PAGE_DEFAULT;
      const productIds = query['productIds[]'];
      const { totalResults, pieces } = catalogue.page({
        productIds: productIds === undefined ? undefined : [...new Set(productIds)],
        ...parseUpdatedRange(query),
        ...parseOfferFilter(query),
        offset: (page - 1) * itemsPerPage,
        limit: itemsPerPage,
      });
      const meta = buildMeta({ page, itemsPerPage, totalResults });
      return { status: 200, bytes: joinPage(traceId, pieces, meta) };
    },
  };
}

/** One buffer, one write: the pieces without the first one's comma between a head and a tail. All but them is ASCII. */
function joinPage(traceId: string, pieces: readonly Buffer[], meta: PageMeta): Buffer {
  const head = `{"traceId":"${traceId}","data":[`;
  const tail = `],"meta":{"page":${meta.page},"itemsPerPage":${meta.itemsPerPage},"totalResults":${meta.totalResults},"hasNext":${meta.hasNext},"hasPrevious":${meta.hasPrevious}}}`;
  let length = head.length + tail.length;
  for (const piece of pieces) length += piece.length;
  const body = Buffer.allocUnsafe(length);
  let offset = body.write(head, 'latin1');
  // The first comma is overwritten by the bracket that opens the list.
  if (pieces.length > 0) offset -= 1;
  for (const piece of pieces) {
    body.set(piece, offset);
    offset += piece.length;
  }
  if (pieces.length > 0) body.write('[', head.length - 1, 'latin1');
  offset += body.write(tail, offset, 'latin1');
  return body.subarray(0, offset);
}

function parseOfferFilter(query: {
  readonly maxPrice?: string;
  readonly totalQuantity?: number;
}): OfferFilter {
  return {
    maxPriceMinor:
      query.maxPrice === undefined
        ? undefined
        : must(parseMaxPrice(query.maxPrice), 'the schema has checked maxPrice'),
    totalQuantityMin: query.totalQuantity,
  };
}

/** Inclusive bounds in microseconds; both may be missing. */
function parseUpdatedRange(query: { readonly updatedAtFrom?: string; readonly updatedAtTo?: string }) {
  const updatedFromMicros =
    query.updatedAtFrom === undefined ? undefined : epochMicros('query.updatedAtFrom', query.updatedAtFrom);
  const updatedToMicros =
    query.updatedAtTo === undefined ? undefined : epochMicros('query.updatedAtTo', query.updatedAtTo);
  if (
    updatedFromMicros !== undefined &&
    updatedToMicros !== undefined &&
    updatedFromMicros > updatedToMicros
  ) {
    throw invalidField('query.updatedAtFrom', 'must not be after updatedAtTo');
  }
  return { updatedFromMicros, updatedToMicros };
}

function epochMicros(field: string, text: string): number {
  const parsed = parseDateTime(text);
  if (!parsed.ok) throw invalidField(field, parsed.reason);
  return parsed.epochMicros;
}
