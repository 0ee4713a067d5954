import { deepEqual, equal } from 'node:assert/strict';
import { ProductBody } from '@keyport/contract/catalogue/listings';
import { test } from 'vitest';
import { changesFrom, findProblems, NEW_PRODUCT, type Product, toBody, toForm } from './product-fields.ts';

const PRODUCT: Product = {
  id: '10000000000017',
  name: 'Star Harbour',
  slug: 'star-harbour',
  checkoutClass: 'standard',
  region: 'Global',
  developer: null,
  publisher: 'Polar Works',
  releaseDate: '2026-12-24',
  platform: 'PC',
  categories: [
    { id: '7', name: 'Action' },
    { id: '8', name: 'Action' },
  ],
  requirements: { minimal: { processor: '2 GHz', graphics: null } },
  restrictions: { rating: '', descriptors: ['Violence, mild'] },
  thumbnail: 'ftp://img.example/1.jpg',
  portraitImage: null,
  coverImage: 'https://img.example/1.jpg',
  images: null,
  videos: ['https://img.example/1.mp4'],
};

test('every member of the body is a field of the form', () => {
  const { requirements: _requirements, restrictions: _restrictions, ...plain } = ProductBody.properties;
  const fields = Object.keys(NEW_PRODUCT);
  deepEqual(
    Object.keys(plain).filter((name) => !fields.includes(name)),
    [],
  );
});

test('changing one field leaves all others unchanged, even those of the same member', () => {
  const before = toForm(PRODUCT);
  deepEqual(changesFrom(before, before), {});
  for (const name of Object.keys(before) as (keyof typeof before)[]) {
    const changes = { [name]: name === 'checkoutClass' ? 'esim' : 'changed' };
    const after = toForm({ ...PRODUCT, ...toBody(changes, PRODUCT) });
    deepEqual(after, { ...before, ...changes }, name);
  }
});

test('categories keep their ids, and a cleared member becomes null', () => {
  deepEqual(toBody({ categories: 'Action\nStrategy\n\nAction' }, PRODUCT).categories, [
    { id: '7', name: 'Action' },
    { id: 'strategy', name: 'Strategy' },
    { id: '8', name: 'Action' },
  ]);
  const emptied = toBody(
    { categories: '', videos: ' \n', descriptors: '', 'minimal.processor': '', publisher: ' ' },
    PRODUCT,
  );
  deepEqual(emptied, {
    categories: null,
    videos: null,
    restrictions: null,
    requirements: null,
    publisher: null,
  });
});

test('only fields that are present are checked', () => {
  deepEqual(findProblems({}), {});
  deepEqual(
    Object.keys(findProblems({ name: ' ', slug: 'A b', thumbnail: 'x', videos: 'https://a.example\nx' })),
    ['name', 'slug', 'thumbnail', 'videos'],
  );
  equal(findProblems({ slug: '', coverImage: '' })['slug'], undefined);
});
