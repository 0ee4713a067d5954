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
  ['my quoted1 key', 'my *** key'],
  ['nothing', 'nothing'],
])('the codes of a request are hidden in its message %j', (message, shown) => {
  const body = {
    itemId: '12345678901234',
    reason: 'invalid',
    codes: ['ABCD-EFGH', 'A+B', '7', ' ', '"QUOTED-1"'],
    message,
  };
  deepEqual(mask?.(body), { ...body, message: shown });
});

test('a text that repeats a code in another composition or only its long beginning hides it', () => {
  const long = `${'L'.repeat(70)}-END`;
  const body = { itemId: '1', reason: 'invalid', codes: ['Fu\u0308nfzig', long], message: '' };
  const shown = (message: string) => ({ ...body, ...Object(mask?.({ ...body, message })) }).message;
  equal(shown('It is F\u00fcnf-zig.'), 'It is ***.');
  equal(shown(`${long}, ${'l'.repeat(66)}`), '***, ***');
});

// One pattern of all codes would be larger than a regular expression may be.
test('a thousand long codes are hidden', () => {
  const codes = Array.from({ length: 1_000 }, (_, index) => `${index}:`.padEnd(1_000, 'x'));
  const body = { itemId: '1', reason: 'invalid', codes, message: `${codes[7]} and ${codes[800]}` };
  deepEqual(mask?.(body), { ...body, message: '*** and ***' });
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
