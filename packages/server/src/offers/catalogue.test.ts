import { deepEqual, equal } from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import {
  Catalogue,
  type CataloguePage,
  type CatalogueProduct,
  type CatalogueQuery,
  compareOffers,
} from './catalogue.ts';

const EVERYTHING: CatalogueQuery = {
  productIds: undefined,
  updatedFromMicros: undefined,
  updatedToMicros: undefined,
  maxPriceMinor: undefined,
  totalQuantityMin: undefined,
  offset: 0,
  limit: 100,
};

const offer = fc.record({
  id: fc.uuid(),
  priceMinor: fc.integer({ min: 1, max: 6 }).map((euros) => euros * 100),
  quantity: fc.integer({ min: 1, max: 5 }),
});

/** Changes of up to 12 products, whose positions are not in the order of their first change. */
const changes = fc.array(
  fc.record({ number: fc.integer({ min: 0, max: 11 }), offers: fc.array(offer, { maxLength: 4 }) }),
  { maxLength: 60 },
);

const query = fc.record({
  productNumbers: fc.option(fc.uniqueArray(fc.integer({ min: 0, max: 13 }), { minLength: 1, maxLength: 5 })),
  from: fc.option(fc.integer({ min: 0, max: 70 })),
  to: fc.option(fc.integer({ min: 0, max: 70 })),
  maxPriceMinor: fc.option(fc.integer({ min: 1, max: 7 }).map((euros) => euros * 100)),
  totalQuantityMin: fc.option(fc.integer({ min: 1, max: 12 })),
  offset: fc.integer({ min: 0, max: 12 }),
  limit: fc.integer({ min: 1, max: 5 }),
});

type Listed = {
  readonly id: string;
  readonly totalQuantity: number;
  readonly offers: { readonly id: string }[];
};

function productsOf({ pieces }: CataloguePage): Listed[] {
  return JSON.parse(`[${Buffer.concat(pieces).toString().slice(1)}]`);
}

function idOf(number: number): string {
  return String(10_000_000_000_000 + number);
}

function positionOf(number: number): number {
  return (number * 7) % 12;
}

test('every page and every total is what a plain filter over the products in insertion order gives', () => {
  fc.assert(
    fc.property(changes, fc.integer({ min: 1, max: 9 }), query, (steps, pullSize, asked) => {
      const catalogue = new Catalogue();
      const known = new Map<string, CatalogueProduct>();
      const products = steps.map(({ number, offers }, index) => ({
        id: idOf(number),
        name: `Product ${number}`,
        position: positionOf(number),
        detailsVersion: 1,
        stampMicros: index + 1,
        offers: [...offers].sort(compareOffers),
      }));
      for (let start = 0; start < products.length; start += pullSize) {
        const latest = new Map(
          products.slice(start, start + pullSize).map((product) => [product.id, product]),
        );
        catalogue.apply([...latest.values()]);
        for (const product of latest.values()) known.set(product.id, product);
      }
      const ids = asked.productNumbers?.map(idOf);
      const matching = [...known.values()]
        .sort((left, right) => left.position - right.position)
        .filter((product) => ids === undefined || ids.includes(product.id))
        .filter(
          (product) => product.stampMicros >= (asked.from ?? 0) && product.stampMicros <= (asked.to ?? 99),
        )
        .map((product) => ({
          id: product.id,
          offers: product.offers.filter(({ priceMinor }) => priceMinor <= (asked.maxPriceMinor ?? 9999)),
        }))
        .filter(({ offers }) => {
          const total = offers.reduce((sum, { quantity }) => sum + quantity, 0);
          return offers.length > 0 && total >= (asked.totalQuantityMin ?? 1);
        });
      const page = catalogue.page({
        productIds: ids,
        updatedFromMicros: asked.from ?? undefined,
        updatedToMicros: asked.to ?? undefined,
        maxPriceMinor: asked.maxPriceMinor ?? undefined,
        totalQuantityMin: asked.totalQuantityMin ?? undefined,
        offset: asked.offset,
        limit: asked.limit,
      });
      equal(page.totalResults, matching.length);
      deepEqual(
        productsOf(page).map(({ id, offers, totalQuantity }) => ({
          id,
          totalQuantity,
          offers: offers.map((each) => each.id),
        })),
        matching.slice(asked.offset, asked.offset + asked.limit).map(({ id, offers }) => ({
          id,
          totalQuantity: offers.reduce((sum, { quantity }) => sum + quantity, 0),
          offers: offers.slice(0, 3).map((each) => each.id),
        })),
      );
    }),
    { numRuns: 500 },
  );
});

test('a product that runs out and comes back keeps its place', () => {
  const catalogue = new Catalogue();
  const product = (number: number, quantity: number, stampMicros: number): CatalogueProduct => ({
    id: idOf(number),
    name: 'Product',
    position: number,
    detailsVersion: 1,
    stampMicros,
    offers: quantity === 0 ? [] : [{ id: `offer-${number}`, priceMinor: 100, quantity }],
  });
  const listed = () => productsOf(catalogue.page(EVERYTHING)).map(({ id }) => id);
  catalogue.apply([product(1, 1, 1), product(2, 1, 2), product(3, 1, 3)]);
  catalogue.apply([product(2, 0, 4)]);
  deepEqual(listed(), [idOf(1), idOf(3)]);
  equal(catalogue.find(idOf(2)), undefined);
  catalogue.apply([product(4, 1, 5)]);
  catalogue.apply([product(2, 1, 6)]);
  deepEqual(listed(), [idOf(1), idOf(2), idOf(3), idOf(4)]);
});

test('more than a million units are reported as a million', () => {
  const catalogue = new Catalogue();
  const offers = [1, 2].map((number) => ({ id: `offer-${number}`, priceMinor: 100, quantity: 700_000 }));
  catalogue.apply([{ id: idOf(1), name: 'P', position: 1, detailsVersion: 1, stampMicros: 1, offers }]);
  equal(productsOf(catalogue.page(EVERYTHING))[0]?.totalQuantity, 1_000_000);
});

test('pieces that get longer than their room move, and laying everything anew loses none', () => {
  const catalogue = new Catalogue();
  const product = (number: number, nameLength: number, stampMicros: number): CatalogueProduct => ({
    id: idOf(number),
    name: 'ä'.repeat(nameLength),
    position: number,
    detailsVersion: 1,
    stampMicros,
    offers: [{ id: `offer-${number}`, priceMinor: 100, quantity: 1 }],
  });
  const numbers = Array.from({ length: 50 }, (_, index) => index);
  for (let round = 1; round <= 60; round += 1) {
    catalogue.apply(numbers.map((number) => product(number, round * 20, round)));
    const listed: { id: string; name?: string }[] = productsOf(catalogue.page(EVERYTHING));
    deepEqual(
      listed.map(({ id, name }) => [id, name?.length]),
      numbers.map((number) => [idOf(number), round * 20]),
    );
  }
});
