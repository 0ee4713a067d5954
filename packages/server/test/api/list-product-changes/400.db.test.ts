/** A125, A126. */
import { deepEqual, equal, match } from 'node:assert/strict';
import { test } from 'vitest';
import { readChanges } from '../../support/feed-reader.ts';
import { sharedHarness } from '../../support/vitest.ts';

const h = await sharedHarness();
const reseller = await h.seed.reseller();

test('the error names the invalid parameter, its fault and the remedy', async () => {
  const { nextCursor } = (await readChanges(reseller)).meta;
  const rows: [query: string, field: string, message: RegExp][] = [
    ['cursor=', 'cursor', /nextCursor.*leave it out/],
    ['cursor=x', 'cursor', /nextCursor.*leave it out/],
    [`cursor=${nextCursor.slice(1)}`, 'cursor', /nextCursor.*leave it out/],
    [`cursor=${nextCursor}A`, 'cursor', /nextCursor.*leave it out/],
    [`cursor=${'A'.repeat(201)}`, 'cursor', /nextCursor.*leave it out/],
    [`cursor=${nextCursor}&cursor=${nextCursor}`, 'cursor', /once/],
    ['limit=0', 'limit', /1 to 1000/],
    ['limit=1001', 'limit', /1 to 1000/],
    ['limit=1e2', 'limit', /1 to 1000/],
    ['wait=31', 'wait', /seconds from 0 to 30/],
    ['wait=-1', 'wait', /seconds from 0 to 30/],
    ['wait=0.5', 'wait', /seconds from 0 to 30/],
  ];
  for (const [query, field, message] of rows) {
    const response = await reseller.get(`/product-offers/changes?${query}`);
    deepEqual([response.status, response.body.error?.code], [400, 'validation-error'], query);
    equal(response.body.error.errors[0].field, `query.${field}`, query);
    match(response.body.error.message, message, query);
  }
});
