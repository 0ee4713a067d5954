import { deepEqual, equal, ok } from 'node:assert/strict';
import fc from 'fast-check';
import { test } from 'vitest';
import { anOffer } from '../../test/shops.ts';
import {
  availableQuantity,
  isDeliverable,
  type OfferState,
  selectOffer,
  summarizeOffers,
} from './offer-selection.ts';

const LINE = { quantity: 2, maxPriceMinor: 100, ownSellerId: 's9' };

function selectId(offers: readonly OfferState[], line = LINE): string | undefined {
  return selectOffer(offers, line)?.id;
}

test('nothing is selected if there is no offer', () => {
  equal(selectId([]), undefined);
});

test('one reason is enough to pass over an offer: inactive, own, too expensive or too small', () => {
  equal(selectId([anOffer({ priceMinor: 100, availableText: 2 })]), 'o1');
  const passedOver: Partial<OfferState>[] = [
    { isActive: false },
    { sellerId: 's9' },
    { priceMinor: 101 },
    { availableText: 1 },
    { availableText: 0, availableImage: 1 },
  ];
  for (const change of passedOver) equal(selectId([anOffer(change)]), undefined, JSON.stringify(change));
});

test('text and image units together may cover a line', () => {
  equal(selectId([anOffer({ availableText: 1, availableImage: 1 })]), 'o1');
});

/** In each row b is better than a for one reason, while all later criteria favor a (A31, A47). */
const PREFERENCES: [why: string, a: Partial<OfferState>, b: Partial<OfferState>][] = [
  [
    'text units that cover the line, even if dearer and fewer',
    { priceMinor: 1, availableText: 1, availableImage: 99 },
    { priceMinor: 100, availableText: 2 },
  ],
  ['the lower price, even with fewer units', { priceMinor: 51, availableText: 99 }, { priceMinor: 50 }],
  [
    'the larger quantity at the same price, even with the higher id',
    { availableText: 10 },
    { availableText: 10, availableImage: 1 },
  ],
];

for (const [why, a, b] of PREFERENCES) {
  test(`an auto line prefers ${why}`, () => {
    const left = anOffer({ id: 'a', ...a });
    const right = anOffer({ id: 'b', ...b });
    equal(selectId([left, right]), 'b');
    equal(selectId([right, left]), 'b');
  });
}

test('the lower id is selected among equal offers, regardless of their order', () => {
  const offers = ['b', 'a', 'c'].map((id) => anOffer({ id }));
  equal(selectId(offers), 'a');
  equal(selectId(offers.toReversed()), 'a');
});

test('offers that can fill the line only with images have the same order of preference', () => {
  const images = { availableText: 0, availableImage: 5 };
  equal(selectId([anOffer({ id: 'a', ...images }), anOffer({ id: 'b', priceMinor: 99, ...images })]), 'b');
});

const offers = fc.uniqueArray(
  fc.record({
    id: fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f'),
    priceMinor: fc.integer({ min: 1, max: 3 }),
    isActive: fc.boolean(),
    sellerId: fc.constantFrom('s1', 's9'),
    availableText: fc.integer({ min: 0, max: 3 }),
    availableImage: fc.integer({ min: 0, max: 2 }),
  }),
  { selector: ({ id }) => id, maxLength: 6 },
);

test('the selection ignores the order of the offers, and no offer that may be sold is better', () => {
  fc.assert(
    fc.property(
      offers,
      fc.integer({ min: 1, max: 3 }),
      fc.integer({ min: 1, max: 3 }),
      (drafts, max, quantity) => {
        const all = drafts.map((draft) => anOffer(draft));
        const line = { quantity, maxPriceMinor: max, ownSellerId: 's9' };
        const selected = selectOffer(all, line);
        equal(selectOffer(all.toReversed(), line), selected);
        const sellable = all.filter(
          (offer) =>
            offer.isActive &&
            offer.sellerId !== 's9' &&
            offer.priceMinor <= max &&
            offer.availableText + offer.availableImage >= quantity,
        );
        equal(selected === undefined, sellable.length === 0);
        if (selected === undefined) return;
        ok(sellable.includes(selected));
        const deliverable = sellable.filter((offer) => offer.availableText >= quantity);
        const rivals = deliverable.length > 0 ? deliverable : sellable;
        ok(rivals.includes(selected));
        equal(selected.priceMinor, Math.min(...rivals.map(({ priceMinor }) => priceMinor)));
      },
    ),
  );
});

test('a unit of any kind counts as available, but only text units can be delivered', () => {
  const offer = anOffer({ availableText: 2, availableImage: 3 });
  equal(availableQuantity(offer), 5);
  ok(isDeliverable(offer, 2));
  ok(!isDeliverable(offer, 3));
});

test('a rejected line names the largest quantity of one offer and the lowest price of those with stock', () => {
  const rows: [offers: OfferState[], expected: ReturnType<typeof summarizeOffers>][] = [
    [[], { availableQuantity: 0, minPriceMinor: undefined }],
    [
      [
        anOffer({ priceMinor: 7, availableText: 2, availableImage: 3 }),
        anOffer({ priceMinor: 5, availableText: 4 }),
      ],
      { availableQuantity: 5, minPriceMinor: 5 },
    ],
    [
      [
        anOffer({ priceMinor: 7 }),
        anOffer({ priceMinor: 1, isActive: false, availableText: 99 }),
        anOffer({ priceMinor: 2, sellerId: 's9', availableText: 99 }),
        anOffer({ priceMinor: 3, availableText: 0 }),
      ],
      { availableQuantity: 10, minPriceMinor: 7 },
    ],
  ];
  for (const [all, expected] of rows) {
    deepEqual(summarizeOffers(all, 's9'), expected);
    deepEqual(summarizeOffers(all.toReversed(), 's9'), expected);
  }
});
