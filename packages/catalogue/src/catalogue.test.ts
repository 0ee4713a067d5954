import { deepEqual, equal, ok } from 'node:assert/strict';
import fc from 'fast-check';
import { test } from 'vitest';
import { Catalogue, type CataloguePage, type CatalogueQuery } from './catalogue.ts';
import { type CatalogueProduct, compareOffers, type ListedOffer, prepareProduct } from './render.ts';

const EVERYTHING: CatalogueQuery = {
  productIds: undefined,
  orderableOnly: false,
  updatedFromMicros: undefined,
  updatedToMicros: undefined,
  maxPriceMinor: undefined,
  totalQuantityMin: undefined,
  offset: 0,
  limit: 100,
};

const NO_FILTER = { maxPriceMinor: undefined, totalQuantityMin: undefined };

const offer = fc.record({
  id: fc.uuid(),
  priceMinor: fc.integer({ min: 1, max: 6 }).map((euros) => euros * 100),
  quantity: fc.integer({ min: 1, max: 5 }),
});

/** Changes to up to 12 products with ascending stamps. */
const changes = fc.array(
  fc.record({
    number: fc.integer({ min: 0, max: 11 }),
    name: fc.constantFrom('Product', 'Jeu "très" long', '游戏'),
    isOrderable: fc.boolean(),
    offers: fc.array(offer, { maxLength: 5 }),
  }),
  { maxLength: 60 },
);

const query = fc.record({
  productNumbers: fc.option(fc.uniqueArray(fc.integer({ min: 0, max: 13 }), { minLength: 1, maxLength: 5 })),
  from: fc.option(fc.integer({ min: 0, max: 70 })),
  to: fc.option(fc.integer({ min: 0, max: 70 })),
  maxPriceMinor: fc.option(fc.integer({ min: 1, max: 7 }).map((euros) => euros * 100)),
  totalQuantityMin: fc.option(fc.integer({ min: 1, max: 12 })),
  orderableOnly: fc.boolean(),
  afterSlot: fc.option(fc.integer({ min: 0, max: 11 })),
  offset: fc.integer({ min: 0, max: 12 }),
  limit: fc.integer({ min: 1, max: 5 }),
});

type Change = { number: number; name: string; isOrderable: boolean; offers: ListedOffer[] };
type AskedQuery = typeof query extends fc.Arbitrary<infer Asked> ? Asked : never;

type Shown = {
  readonly id: string;
  readonly name: string;
  readonly totalQuantity: number;
  readonly minPrice: string;
  readonly offers: { readonly id: string; readonly price: string; readonly quantity: number }[];
};

function toText(parts: readonly Buffer[]): string {
  return Buffer.concat(parts).toString();
}

function toBytes({ parts }: Pick<CataloguePage, 'parts'>): string {
  return `[${toText(parts)}]`;
}

function toShown(page: CataloguePage): Shown[] {
  const products: (Shown & { updatedAt: string; currency: string })[] = JSON.parse(toBytes(page));
  return products.map(({ updatedAt: _, currency: __, ...shown }) => shown);
}

function toId(number: number): number {
  return 10_000_000_000_000 + number;
}

/** Splits the changes into pulls, each with the last change to each product, in stamp order. */
function toPulls(steps: readonly Change[], pullSize: number): CatalogueProduct[][] {
  const firstStamps = new Map<number, number>();
  const products = steps.map(({ number, name, isOrderable, offers }, index) => {
    const stampMicros = index + 1;
    const firstStampMicros = firstStamps.get(number) ?? stampMicros;
    firstStamps.set(number, firstStampMicros);
    const sorted = [...offers].sort(compareOffers);
    const stamps = { stampMicros, firstStampMicros };
    return { id: toId(number), name, detailsVersion: 1, isOrderable, ...stamps, offers: sorted };
  });
  const pulls: CatalogueProduct[][] = [];
  for (let start = 0; start < products.length; start += pullSize) {
    const pulled = products.slice(start, start + pullSize);
    pulls.push(pulled.filter(({ id }, index) => !pulled.slice(index + 1).some((later) => later.id === id)));
  }
  return pulls;
}

function shown(
  product: CatalogueProduct,
  filter: { readonly maxPriceMinor: number | null; readonly totalQuantityMin: number | null },
): Shown[] {
  const offers = product.offers.filter(({ priceMinor }) => priceMinor <= (filter.maxPriceMinor ?? 9999));
  const totalQuantity = offers.reduce((sum, { quantity }) => sum + quantity, 0);
  if (offers.length === 0 || totalQuantity < (filter.totalQuantityMin ?? 1)) return [];
  const toPrice = (priceMinor: number | undefined) => ((priceMinor ?? 0) / 100).toFixed(2);
  return [
    {
      id: String(product.id),
      name: product.name,
      totalQuantity,
      minPrice: toPrice(offers[0]?.priceMinor),
      offers: offers
        .slice(0, 3)
        .map(({ id, priceMinor, quantity }) => ({ id, price: toPrice(priceMinor), quantity })),
    },
  ];
}

function toQuery(asked: AskedQuery): CatalogueQuery {
  return {
    productIds: asked.productNumbers?.map((number) => String(toId(number))),
    updatedFromMicros: asked.from ?? undefined,
    updatedToMicros: asked.to ?? undefined,
    maxPriceMinor: asked.maxPriceMinor ?? undefined,
    totalQuantityMin: asked.totalQuantityMin ?? undefined,
    orderableOnly: asked.orderableOnly,
    afterSlot: asked.afterSlot ?? undefined,
    offset: asked.offset,
    limit: asked.limit,
  };
}

function expectedPage(known: Iterable<CatalogueProduct>, asked: AskedQuery) {
  const matching = [...known]
    .sort((left, right) => left.firstStampMicros - right.firstStampMicros)
    .slice((asked.afterSlot ?? -1) + 1)
    .filter(({ id }) => asked.productNumbers === null || asked.productNumbers.map(toId).includes(id))
    .filter(({ stampMicros }) => stampMicros >= (asked.from ?? 0) && stampMicros <= (asked.to ?? 99))
    .filter(({ isOrderable }) => isOrderable || !asked.orderableOnly)
    .flatMap((product) => shown(product, asked));
  return { total: matching.length, products: matching.slice(asked.offset, asked.offset + asked.limit) };
}

test('every page, total and tag matches a plain filter over the products in insertion order', () => {
  fc.assert(
    fc.property(
      changes,
      fc.integer({ min: 1, max: 9 }),
      fc.array(query, { minLength: 1, maxLength: 6 }),
      (steps, pullSize, questions) => {
        const catalogue = new Catalogue();
        const known = new Map<number, CatalogueProduct>();
        const tagsByBytes = new Map<string, string>();
        const bytesByTag = new Map<string, string>();
        for (const pulled of toPulls(steps, pullSize)) {
          catalogue.apply(pulled.map(prepareProduct));
          for (const product of pulled) known.set(product.id, product);
          for (const asked of questions) {
            const page = catalogue.page(toQuery(asked));
            const expected = expectedPage(known.values(), asked);
            equal(page.totalResults, expected.total);
            deepEqual(toShown(page), expected.products);
            const bytes = `${page.totalResults} ${toBytes(page)}`;
            equal(tagsByBytes.get(bytes) ?? page.tag, page.tag, 'equal bytes have equal tags');
            equal(bytesByTag.get(page.tag) ?? bytes, bytes, 'equal tags have equal bytes');
            tagsByBytes.set(bytes, page.tag);
            bytesByTag.set(page.tag, bytes);
          }
        }
      },
    ),
    { numRuns: 300 },
  );
});

test('a loaded catalogue shows the same bytes under the same tags as one that followed the changes', async () => {
  await fc.assert(
    fc.asyncProperty(changes, fc.integer({ min: 1, max: 9 }), query, async (steps, pullSize, asked) => {
      const followed = new Catalogue();
      const latest = new Map<number, CatalogueProduct>();
      for (const pulled of toPulls(steps, pullSize)) {
        followed.apply(pulled.map(prepareProduct));
        for (const product of pulled) latest.set(product.id, product);
      }
      const loaded = new Catalogue();
      const inOrder = [...latest.values()].sort(
        (one, other) => one.firstStampMicros - other.firstStampMicros,
      );
      loaded.fill(inOrder.map((product) => prepareProduct(product)));
      const taken = new Catalogue();
      taken.takeOver(loaded);
      const [one, other] = [followed.page(toQuery(asked)), taken.page(toQuery(asked))];
      deepEqual([other.tag, toBytes(other)], [one.tag, toBytes(one)]);
      equal(taken.newestStampMicros, followed.newestStampMicros);
    }),
    { numRuns: 100 },
  );
});

test('the lookup and the summary contain parts of the list element', () => {
  fc.assert(
    fc.property(changes, query, (steps, asked) => {
      const catalogue = new Catalogue();
      for (const pulled of toPulls(steps, 7)) catalogue.apply(pulled.map(prepareProduct));
      for (let number = 0; number < 13; number += 1) {
        const productId = String(toId(number));
        const filter = { ...NO_FILTER, ...toQuery({ ...asked, from: null, to: null }) };
        const listed = (query: object) =>
          JSON.parse(
            toBytes(
              catalogue.page({
                ...EVERYTHING,
                ...query,
                productIds: [productId],
                afterSlot: undefined,
                offset: 0,
              }),
            ),
          )[0];
        const { minPrice, ...expected } = listed(filter) ?? {};
        const found = catalogue.lookUp(productId, filter);
        if (minPrice === undefined) equal(found, undefined);
        else deepEqual(JSON.parse(found === undefined ? '' : toText(found.parts)), expected);
        const [summary] = catalogue.summaries([Number(productId)]);
        const { offers, ...summarised } = listed({}) ?? {};
        if (offers === undefined) equal(summary, undefined);
        else deepEqual(JSON.parse(`${summary?.members}}`), summarised);
      }
    }),
    { numRuns: 100 },
  );
});

test('the changes after a stamp are the last change or removal of each product, in stamp order', () => {
  fc.assert(
    fc.property(
      changes,
      fc.record({
        pullSize: fc.integer({ min: 1, max: 9 }),
        after: fc.integer({ min: 0, max: 60 }),
        removalsAfter: fc.integer({ min: 0, max: 60 }),
        orderableOnly: fc.boolean(),
        limit: fc.integer({ min: 1, max: 4 }),
      }),
      (steps, { pullSize, after, removalsAfter, orderableOnly, limit }) => {
        const catalogue = new Catalogue();
        const latest = new Map<number, CatalogueProduct>();
        for (const pulled of toPulls(steps, pullSize)) {
          catalogue.apply(pulled.map(prepareProduct));
          for (const product of pulled) latest.set(product.id, product);
        }
        const isShown = ({ offers, isOrderable }: CatalogueProduct) =>
          offers.length > 0 && (isOrderable || !orderableOnly);
        const expected = [...latest.values()]
          .filter((one) => one.stampMicros > (isShown(one) ? after : Math.max(after, removalsAfter)))
          .sort((one, other) => one.stampMicros - other.stampMicros)
          .map((one) => [String(one.id), one.stampMicros, !isShown(one)]);
        const found: unknown[] = [];
        for (let afterMicros = after, hasMore = true; hasMore; ) {
          const read = catalogue.changesAfter({
            afterMicros,
            removalsAfterMicros: removalsAfter,
            orderableOnly,
            limit,
          });
          ok(read.changes.length <= limit);
          for (const change of read.changes) {
            const isRemoved = 'removedId' in change;
            const id = isRemoved ? change.removedId : JSON.parse(change.piece.toString().slice(1)).id;
            found.push([id, change.stampMicros, isRemoved]);
          }
          ({ throughMicros: afterMicros, hasMore } = read);
        }
        deepEqual(found, expected);
      },
    ),
    { numRuns: 200 },
  );
});

function simple(number: number, quantity: number, stampMicros: number, firstStampMicros = number) {
  const offers = quantity === 0 ? [] : [{ id: `offer-${number}`, priceMinor: 100, quantity }];
  return prepareProduct({
    id: toId(number),
    name: 'P',
    detailsVersion: 1,
    isOrderable: true,
    stampMicros,
    firstStampMicros,
    offers,
  });
}

const listedIds = (catalogue: Catalogue, asked: Partial<CatalogueQuery> = {}) =>
  toShown(catalogue.page({ ...EVERYTHING, ...asked })).map(({ id }) => Number(id));

test('a product that runs out and comes back keeps its place', () => {
  const catalogue = new Catalogue();
  catalogue.apply([simple(1, 1, 1), simple(2, 1, 2), simple(3, 1, 3)]);
  catalogue.apply([simple(2, 0, 4)]);
  deepEqual(listedIds(catalogue), [toId(1), toId(3)]);
  deepEqual(catalogue.summaries([toId(2)]), [undefined]);
  catalogue.apply([simple(4, 1, 5, 5)]);
  catalogue.apply([simple(2, 1, 6)]);
  deepEqual(listedIds(catalogue), [toId(1), toId(2), toId(3), toId(4)]);
});

test('an admitted product keeps its place before products applied earlier, and is shown once it is applied', () => {
  const catalogue = new Catalogue();
  catalogue.admit([
    { id: toId(2), firstStampMicros: 2 },
    { id: toId(1), firstStampMicros: 1 },
  ]);
  catalogue.apply([simple(2, 1, 2)]);
  deepEqual(listedIds(catalogue), [toId(2)]);
  deepEqual(listedIds(catalogue, { updatedFromMicros: 0 }), [toId(2)]);
  catalogue.apply([simple(1, 1, 3)]);
  deepEqual(listedIds(catalogue), [toId(1), toId(2)]);
});

test('a product built from memory after a sale equals the stored one', () => {
  const sales = fc.record({
    name: fc.constantFrom('Product', 'Jeu "très" long', '游戏'),
    isOrderable: fc.boolean(),
    offers: fc.uniqueArray(offer, { minLength: 1, maxLength: 6, selector: ({ id }) => id }),
    sold: fc.array(fc.record({ offer: fc.nat(5), units: fc.nat(5) }), { minLength: 1, maxLength: 3 }),
  });
  fc.assert(
    fc.property(sales, ({ name, isOrderable, offers, sold }) => {
      const catalogue = new Catalogue();
      const stamps = { stampMicros: 7, firstStampMicros: 7 };
      const product = { id: toId(1), name, isOrderable, ...stamps, detailsVersion: 3 };
      catalogue.apply([prepareProduct({ ...product, offers: [...offers].sort(compareOffers) })]);
      const left = new Map<string, number>();
      for (const { offer: number, units } of sold) {
        const of = offers[number % offers.length];
        if (of !== undefined) left.set(of.id, Math.max(0, of.quantity - units));
      }
      const made = catalogue.sold(product.id, 8, left);
      ok(made !== undefined);
      const remaining = offers
        .map((each) => ({ ...each, quantity: left.get(each.id) ?? each.quantity }))
        .filter(({ quantity }) => quantity > 0)
        .sort(compareOffers);
      catalogue.apply([prepareProduct(made)]);
      ok(catalogue.holds(prepareProduct({ ...product, stampMicros: 8, offers: remaining })));
    }),
    { numRuns: 1000 },
  );
});

test('does not build a product from memory if it or its offer is unknown, or it is off sale', () => {
  const catalogue = new Catalogue();
  catalogue.apply([simple(1, 1, 1), simple(2, 0, 2)]);
  for (const number of [2, 3])
    equal(catalogue.sold(toId(number), 9, new Map([[`offer-${number}`, 1]])), undefined);
  equal(catalogue.sold(toId(1), 9, new Map([['another', 1]])), undefined);
});

test('more than a million units are reported as a million', () => {
  const catalogue = new Catalogue();
  const offers = [1, 2, 3].map((number) => ({
    id: `offer-${number}`,
    priceMinor: number * 100,
    quantity: 700_000,
  }));
  const stamps = { stampMicros: 1, firstStampMicros: 1 };
  catalogue.apply([
    prepareProduct({ id: toId(1), name: 'P', isOrderable: true, detailsVersion: 1, ...stamps, offers }),
  ]);
  equal(toShown(catalogue.page(EVERYTHING))[0]?.totalQuantity, 1_000_000);
  const cheaper = catalogue.page({ ...EVERYTHING, maxPriceMinor: 200, totalQuantityMin: 1_000_000 });
  equal(toShown(cheaper)[0]?.totalQuantity, 1_000_000);
});

test('a large changing catalogue matches a plain model', () => {
  const catalogue = new Catalogue();
  const count = 20_000;
  /** Indexed by product number. */
  const units = new Int32Array(count);
  const stamps = new Float64Array(count);
  let stamp = 0;
  const change = (number: number, quantity: number) => {
    stamp += 1;
    units[number] = quantity;
    stamps[number] = stamp;
    return simple(number, quantity, stamp, number + 1);
  };
  const check = (asked: Partial<CatalogueQuery>) => {
    const matching: number[] = [];
    for (let number = 0; number < count; number += 1) {
      const [quantity = 0, changed = 0] = [units[number], stamps[number]];
      const isUpdated =
        changed >= (asked.updatedFromMicros ?? 0) && changed <= (asked.updatedToMicros ?? stamp);
      if (quantity >= (asked.totalQuantityMin ?? 1) && isUpdated) matching.push(number);
    }
    for (const offset of [0, Math.floor(matching.length / 2), matching.length - 1, matching.length]) {
      if (offset < 0) continue;
      const page = catalogue.page({ ...EVERYTHING, ...asked, offset, limit: 7 });
      equal(page.totalResults, matching.length);
      deepEqual(
        toShown(page).map(({ id }) => Number(id)),
        matching.slice(offset, offset + 7).map(toId),
      );
    }
  };
  catalogue.apply(Array.from({ length: count }, (_, number) => change(number, 1 + (number % 9))));
  for (let round = 0; round < 40; round += 1) {
    const batch = new Map<number, number>();
    // Some products change in every round, others occasionally, and whole blocks run out and come back.
    for (let index = 0; index < 900; index += 1) {
      const number = index < 100 ? index : (round * 7919 + index * 104_729) % count;
      batch.set(number, (number + round) % 9);
    }
    if (round % 10 === 5) for (let number = 4096; number < 8192; number += 1) batch.set(number, 0);
    if (round % 10 === 8) for (let number = 4096; number < 8192; number += 1) batch.set(number, 3);
    catalogue.apply([...batch].map(([number, quantity]) => change(number, quantity)));
    check({});
    check({ totalQuantityMin: 5 });
    check({ updatedFromMicros: stamp - 300 });
    check({ updatedFromMicros: stamp - 15_000, updatedToMicros: stamp - 40 });
    check({ updatedToMicros: 9000 });
  }
  let changed = 0;
  for (let afterMicros = 0, hasMore = true; hasMore; ) {
    const read = catalogue.changesAfter({
      afterMicros,
      removalsAfterMicros: 0,
      orderableOnly: false,
      limit: 1000,
    });
    changed += read.changes.length;
    ({ throughMicros: afterMicros, hasMore } = read);
  }
  equal(changed, count);
  equal(catalogue.newestStampMicros, stamp);
});
