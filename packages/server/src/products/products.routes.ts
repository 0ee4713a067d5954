/** Product details by ids. Spec: "6. Get product details", ProductDetail; A2, A5. */
import type { OperationHandlers } from '../http/operation.ts';
import type { DetailsCache } from './details-cache.ts';

/** What the catalogue in memory says of a product on offer; the offers feature provides it through app.ts. */
export type ProductSummary = {
  /** Its JSON with the members that depend on offers, without the brace that closes it. To be copied at once. */
  readonly piece: Buffer;
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
      const products = ids.flatMap((id) => {
        const found = deps.findProduct(id);
        return found === undefined
          ? []
          : [{ id, piece: found.piece.toString(), detailsVersion: found.detailsVersion }];
      });
      const details = await deps.details.load(products);
      const data = products.flatMap(({ id, piece }) => {
        const members = details.get(id);
        return members === undefined ? [] : [`${piece},${members}}`];
      });
      const parts = [`{"traceId":"${traceId}","data":[`, Buffer.from(data.join(',')), ']}'];
      return { status: 200, parts, tag: products.map(({ stampMicros }) => stampMicros).join('.') };
    },
  };
}
