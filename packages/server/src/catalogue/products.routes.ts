/** A2, A5. */

import type { ProductSummary } from '@keyport/catalogue/catalogue';
import type { DetailsCache } from '@keyport/catalogue/details-cache';
import { Tag } from '@keyport/catalogue/tag';
import type { Representation } from '@keyport/http/replies/representation';
import type { OperationHandlers } from '../operations/operation.ts';

export type ProductDeps = {
  readonly details: DetailsCache;
  /** In the order of the ids; undefined if unknown or out of stock. */
  readonly findProducts: (productIds: readonly number[]) => readonly (ProductSummary | undefined)[];
};

export function buildProductHandlers(deps: ProductDeps): Pick<OperationHandlers, 'listProductDetails'> {
  return {
    listProductDetails: ({ query, traceId }) => {
      const ids = distinctIds(query['productIds[]']);
      const response = represent(deps, ids, traceId);
      return 'parts' in response ? response : loadAndRepresent(deps, ids, traceId);
    },
  };
}

function distinctIds(productIds: readonly string[]): number[] {
  const ids: number[] = [];
  for (const productId of productIds) {
    const id = Number(productId);
    if (!ids.includes(id)) ids.push(id);
  }
  return ids;
}

function represent(
  { details, findProducts }: ProductDeps,
  ids: readonly number[],
  traceId: string,
): Representation | { readonly missing: readonly number[] } {
  const parts: Buffer[] = [];
  const missing: number[] = [];
  const tag = new Tag();
  tag.begin(details.mark);
  for (const [index, product] of findProducts(ids).entries()) {
    const id = ids[index];
    if (product === undefined || id === undefined) continue;
    const element = details.element(id, product);
    if (element === undefined) missing.push(id);
    else parts.push(parts.length === 0 ? element.subarray(1) : element);
    tag.add(product.stampMicros);
  }
  if (missing.length > 0) return { missing };
  return { status: 200, head: `{"traceId":"${traceId}","data":[`, parts, tail: ']}', tag: tag.end() };
}

const ATTEMPTS_MAX = 5;

async function loadAndRepresent(
  deps: ProductDeps,
  ids: readonly number[],
  traceId: string,
): Promise<Representation> {
  for (let attempt = 1; attempt <= ATTEMPTS_MAX; attempt += 1) {
    const response = represent(deps, ids, traceId);
    if ('parts' in response) return response;
    await deps.details.load(response.missing);
  }
  throw new Error(`details could not be loaded in ${ATTEMPTS_MAX} attempts`);
}
