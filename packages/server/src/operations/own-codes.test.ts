import { deepEqual, equal } from 'node:assert/strict';
import { OPERATIONS } from '@keyport/contract/operations';
import { test } from 'vitest';
import { ownCodesMask } from './own-codes.ts';

const mask = ownCodesMask(OPERATIONS.createClaim.body);

test.each([
  ['ABCD-EFGH is used', '*** is used'],
  ['key abcd-efgh, ABCDEFGH and ABCD EFGH', 'key ***, *** and ***'],
  ['xABCD\u2013EFGHx', 'x***x'],
  ['A+B is 7, not 77', '*** is ***, not 77'],
  ['nothing', 'nothing'],
])('the codes of a request are hidden in its message %j', (message, shown) => {
  const body = {
    itemId: '12345678901234',
    reason: 'invalid',
    codes: ['ABCD-EFGH', 'A+B', '7', ' '],
    message,
  };
  deepEqual(mask?.(body), { ...body, message: shown });
});

test('only free texts beside codes are changed', () => {
  deepEqual(mask?.({ itemId: 'ABCD', reason: 'ABCD', codes: ['ABCD'] }), {
    itemId: 'ABCD',
    reason: 'ABCD',
    codes: ['ABCD'],
  });
  equal(ownCodesMask(OPERATIONS.createOrder.body), undefined);
});

test.each(['withdrawKeys', 'replaceKey', 'changeOffers', 'createClaim'] as const)(
  '%s hides its own codes',
  (name) => {
    equal(typeof ownCodesMask(OPERATIONS[name].body), 'function');
  },
);
