import { deepEqual, equal } from 'node:assert/strict';
import { ProductBody } from '@keyport/contract/catalogue/listings';
import { compileCheck } from '@keyport/http/validation/validation';
import fc from 'fast-check';
import { test } from 'vitest';
import { toSlug } from './slug.ts';

const ID = '10000000000017';

for (const [name, slug] of [
  ['Half-Life 2: Episode One', 'half-life-2-episode-one'],
  ['  Pokémon™  Édition  ', 'pokemontm-edition'],
  ['ＦＩＮＡＬ Ⅶ', 'final-vii'],
  ['Straße nach Łódź', 'strasse-nach-lodz'],
  ['仁王', ID],
  ['!!!', ID],
] as const) {
  test(`the slug of ${JSON.stringify(name)} is ${slug}`, () => equal(toSlug(name, ID), slug));
}

test('a slug made from any name is a valid slug', () => {
  const check = compileCheck(ProductBody.properties.slug, 'slug');
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme', minLength: 1, maxLength: 500 }), (name) => {
      deepEqual(check(toSlug(name, ID)), []);
    }),
  );
});
