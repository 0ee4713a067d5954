/** Product details by ids. Spec: "6. Get product details", ProductDetail; A2, A5. */
import type { OperationHandlers } from '../http/operation.ts';
import type { Representation } from '../http/representation.ts';
import { Tag } from '../http/tag.ts';
import type { DetailsCache } from './details-cache.ts';

/** What the catalogue in memory says of a product on offer; the offers feature provides it through app.ts. */
export type ProductSummary = {
  /** Its JSON with the members that depend on offers, without the brace that closes it. To be copied at once. */
  readonly piece: Buffer;
  readonly stampMicros: number;
  readonly detailsVersion: number;
};

export type ProductDeps = {
  readonly details: DetailsCache;
  /** Undefined for a product that is unknown or out of stock. */
  readonly findProduct: (productId: string) => ProductSummary | undefined;
};

export function buildProductHandlers(deps: ProductDeps): Pick<OperationHandlers, 'listProductDetails'> {
  return {
    listProductDetails: ({ query, traceId }) => {
      const ids = [...new Set(query['productIds[]'])];
      const answer = represent(deps, ids, traceId);
      if (answer !== undefined) return answer;
      return loadAndRepresent(deps, ids, traceId);
    },
  };
}

/** Undefined when details have to be loaded first. */
function represent(
  { details, findProduct }: ProductDeps,
  ids: readonly string[],
  traceId: string,
): Representation | undefined {
  const parts: (string | Buffer)[] = [];
  const tag = new Tag();
  tag.begin(0);
  let before = `{"traceId":"${traceId}","data":[`;
  for (const id of ids) {
    const product = findProduct(id);
    if (product === undefined) continue;
    const members = details.get({ id, detailsVersion: product.detailsVersion });
    if (members === undefined) return undefined;
    tag.add(product.stampMicros);
    parts.push(before, product.piece, ',', members);
    before = '},';
  }
  parts.push(parts.length === 0 ? `${before}]}` : '}]}');
  return { status: 200, parts, tag: tag.end() };
}

/** How often it is looked again when products change under its hands. */
const ATTEMPTS_MAX = 5;

async function loadAndRepresent(
  deps: ProductDeps,
  ids: readonly string[],
  traceId: string,
): Promise<Representation> {
  for (let attempt = 1; attempt <= ATTEMPTS_MAX; attempt += 1) {
    const wanted = ids.flatMap((id) => {
      const product = deps.findProduct(id);
      return product === undefined ? [] : [{ id, detailsVersion: product.detailsVersion }];
    });
    await deps.details.load(wanted);
    const answer = represent(deps, ids, traceId);
    if (answer === undefined) continue;
    // The pieces are good for this turn only, and the answer is sent in a later one.
    const body = Buffer.concat(
      answer.parts.map((part) => (typeof part === 'string' ? Buffer.from(part) : part)),
    );
    return { ...answer, parts: [body] };
  }
  throw new Error(`the details changed ${ATTEMPTS_MAX} times while they were read`);
}
