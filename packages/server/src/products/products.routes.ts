/** Product details by ids. Spec: "6. Get product details", ProductDetail; A2, A5. */
import { CURRENCY } from '@keyport/contract/formats';
import { formatDateTime } from '@keyport/core/date-time';
import type { OperationHandlers } from '../http/operation.ts';
import type { DetailsCache } from './details-cache.ts';

/** What the catalogue in memory says of a product on offer; the offers feature provides it through app.ts. */
export type ProductSummary = {
  readonly id: string;
  readonly name: string;
  readonly totalQuantity: number;
  readonly minPrice: string | undefined;
  readonly stampMicros: number;
  readonly detailsVersion: number;
};

export function buildProductHandlers(deps: {
  readonly details: DetailsCache;
  /** Undefined for a product that is unknown or out of stock. */
  readonly findProduct: (productId: string) => ProductSummary | undefined;
}): Pick<OperationHandlers, 'listProductDetails'> {
  return {
    listProductDetails: async ({ query, traceId }) => {
      const ids = [...new Set(query['productIds[]'])];
      const products = ids.flatMap((id) => deps.findProduct(id) ?? []);
      const details = await deps.details.load(products);
      const data = products.flatMap((product) => {
        const members = details.get(product.id);
        return members === undefined ? [] : [renderDetail(product, members)];
      });
      return { status: 200, bytes: Buffer.from(`{"traceId":"${traceId}","data":[${data.join(',')}]}`) };
    },
  };
}

function renderDetail(product: ProductSummary, members: string): string {
  const minPrice = product.minPrice === undefined ? 'null' : `"${product.minPrice}"`;
  return `{"id":"${product.id}","name":${JSON.stringify(product.name)},"totalQuantity":${product.totalQuantity},"minPrice":${minPrice},${members},"updatedAt":"${formatDateTime(product.stampMicros)}","currency":"${CURRENCY}"}`;
}
