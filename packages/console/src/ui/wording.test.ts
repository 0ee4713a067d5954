import { equal } from 'node:assert/strict';
import { KeyportError } from '@keyport/sdk-source/requests/errors';
import { test } from 'vitest';
import { toMessage, wordProblem, wordReason, wordRule } from './wording.ts';

test.each([
  [
    'query.totalFrom must be a string such as "15.00": above 0.',
    'Total from must be a value such as 15.00: above 0.',
  ],
  ['query.query must be words to search for.', 'Search must be words to search for.'],
  ['query.dateTo must not be before query.dateFrom.', 'To must not be before From.'],
  ['query.createdAtTo must not be before createdAtFrom.', 'To must not be before From.'],
  ['query.accountId must be a UUID, or null.', 'Account id must be a UUID.'],
  [
    'query.query names a different accountId than the filter.',
    'Search names a different Account id than the filter.',
  ],
  [
    'path.orderId must be an order id: a string of 14 to 16 digits.',
    'Order id must be an order id of 14 to 16 digits.',
  ],
  ['headers.if-match must be an ETag.', 'If match must be an ETag.'],
  ['body.limits.dailySpendMax must be a string.', 'Daily spend max must be text.'],
  [
    'body.codes[1] must not repeat the code of body.codes[0].',
    'Codes 2 must not repeat the code of Codes 1.',
  ],
  [
    'body.changes[0].price is required and must be an array of 1 to 5 prices.',
    'Price 1 is required and must be a list of 1 to 5 prices.',
  ],
  ['query.productIds[] must have 1 to 20 values.', 'Product ids must have 1 to 20 values.'],
  [
    'body.paymentMethod must be "balance", "gateway" or null.',
    'Pays by must be balance, gateway or nothing.',
  ],
  ['There is no order with this id.', 'There is no order with this id.'],
  ['The seller "a string" of eBay has another name.', 'The seller "a string" of eBay has another name.'],
])('the message %j has the labels of fields', (message, worded) => {
  equal(wordProblem(message), worded);
});

test('the rule of a field is a sentence about it', () => {
  const rule = 'must be a valid absolute URL such as https://shop.example/webhooks.';
  equal(wordRule(rule), 'This must be a complete URL such as https://shop.example/webhooks.');
  equal(wordRule('must be text', 'Entry 2'), 'Entry 2 must be text');
});

test.each([
  ['service-unavailable', 503],
  ['state-changed', 412],
  ['idempotency-key-processing', 409],
  ['too-many-requests', 429],
])('the message of %s is not the one for programs', (code, status) => {
  const message = 'Retry with the same Idempotency-Key; see error.data.';
  const shown = toMessage(new KeyportError({ status, code, message, errors: [], traceId: '' } as never));
  equal(/Idempotency-Key|error\.data/.test(shown), false, shown);
});

test.each([
  ['risk rule: total 153.72 EUR is above 150.00 EUR', 'total €153.72 is above €150.00'],
  ['paid from the balance; held: the account is under review', undefined],
  ['claim clm_01JD8Q7: already-used', 'Claim: Key already used'],
  ['already-used', 'Key already used'],
  ['Known customer', undefined],
])('the reason %j is one that people read', (reason, worded = reason) => {
  equal(wordReason(reason), worded);
});

test('an amount in a message has its sign', () => {
  const message = 'The account holds 2902.45 EUR. Book at most this amount.';
  const shown = toMessage(
    new KeyportError({ status: 409, code: 'conflict', message, errors: [], traceId: '' } as never),
  );
  equal(shown, 'The account holds €2,902.45. Book at most this amount.');
});
