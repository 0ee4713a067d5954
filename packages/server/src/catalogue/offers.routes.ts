/** R6, R7, A3, A4. */

import type { Catalogue, OfferFilter } from '@keyport/catalogue/catalogue';
import { buildMeta, type PageMeta } from '@keyport/contract/envelope';
import { must } from '@keyport/core/assert';
import { parseMaxPrice } from '@keyport/core/money';
import { ApiError, invalidField } from '@keyport/http/replies/api-error';
import type { Representation } from '@keyport/http/replies/representation';
import { parseTime } from '@keyport/http/validation/query';
import type { OperationHandlers, OperationRequest } from '../operations/operation.ts';

const ITEMS_PER_PAGE_DEFAULT = 20;

type OfferHandlers = Pick<OperationHandlers, 'listProductOffers' | 'getProduct' | 'getProductOffers'>;

type LookUp = Pick<OperationRequest<'getProduct'>, 'params' | 'query' | 'traceId'>;

export function buildOfferHandlers({
  catalogue,
  findProductIds,
}: {
  readonly catalogue: Catalogue;
  /** The products with these words. */
  readonly findProductIds: (words: string) => Promise<readonly string[]>;
}): OfferHandlers {
  const lookUp = ({ params: { productId }, query, traceId }: LookUp): Representation => {
    const found = catalogue.lookUp(productId, parseOfferFilter(query));
    if (found === undefined) throw new ApiError('product-not-found', { data: { productId } });
    return { status: 200, head: `{"traceId":"${traceId}","data":`, ...found, tail: '}' };
  };
  // Only another node can already know a product that this one does not, and nothing here follows it.
  const toSlot = (productId: string) => catalogue.toSlot(Number(productId)) ?? catalogue.productCount - 1;
  const list = (
    query: OperationRequest<'listProductOffers'>['query'],
    traceId: string,
    found?: readonly string[],
  ): Representation => {
    const page = query.page ?? 1;
    const itemsPerPage = query.itemsPerPage ?? ITEMS_PER_PAGE_DEFAULT;
    const [updatedFromMicros, updatedToMicros] = parseUpdatedRange(query);
    const { maxPriceMinor, totalQuantityMin } = parseOfferFilter(query);
    const { totalResults, parts, tag } = catalogue.page({
      productIds: both(query['productIds[]'], found),
      orderableOnly: query.orderable === 'true',
      updatedFromMicros,
      updatedToMicros,
      maxPriceMinor,
      totalQuantityMin,
      afterSlot: query.after === undefined ? undefined : toSlot(query.after),
      offset: (page - 1) * itemsPerPage,
      limit: itemsPerPage,
    });
    const head = `{"traceId":"${traceId}","data":[`;
    const tail = metaText(buildMeta({ page, itemsPerPage, totalResults, after: query.after }));
    return { status: 200, head, parts, tail, tag };
  };
  return {
    getProduct: lookUp,
    getProductOffers: lookUp,
    listProductOffers: ({ query, traceId }) =>
      query.query === undefined
        ? list(query, traceId)
        : findProductIds(query.query).then((ids) => list(query, traceId, ids)),
  };
}

function both(named: readonly string[] | undefined, found: readonly string[] | undefined) {
  return found === undefined ? named : (named?.filter((id) => found.includes(id)) ?? found);
}

function metaText({ page, itemsPerPage, totalResults, hasNext, hasPrevious }: PageMeta): string {
  return `],"meta":{"page":${page},"itemsPerPage":${itemsPerPage},"totalResults":${totalResults},"hasNext":${hasNext},"hasPrevious":${hasPrevious}}}`;
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

function parseUpdatedRange(query: {
  readonly updatedAtFrom?: string;
  readonly updatedAtTo?: string;
}): [from: number | undefined, to: number | undefined] {
  const updatedFromMicros = parseTime('query.updatedAtFrom', query.updatedAtFrom);
  const updatedToMicros = parseTime('query.updatedAtTo', query.updatedAtTo);
  if (
    updatedFromMicros !== undefined &&
    updatedToMicros !== undefined &&
    updatedFromMicros > updatedToMicros
  ) {
    throw invalidField('query.updatedAtFrom', 'must not be after updatedAtTo');
  }
  return [updatedFromMicros, updatedToMicros];
}
