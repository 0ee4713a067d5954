import { deepEqual, equal } from 'node:assert/strict';
import { test } from 'vitest';
import { changesOfOffer, summarize, toLabel, toWords } from './words.ts';

test('an entry of a timeline names its amount, keys, result, reference or changed members', () => {
  const cases = [
    ['deposit.create', { amount: '1500.00', reference: 'BANK-778' }, '€1,500.00 · BANK-778'],
    ['order.refund', { amount: '10.00', keyIds: ['7'], units: 'kept' }, '1 key, €10.00'],
    ['keys.read', { keys: 3, items: ['1'] }, '3 keys'],
    [
      'claim.decide',
      { decisions: { 1: 'refunded', 2: 'rejected', 3: 'refunded' } },
      '2 refunded, 1 rejected',
    ],
    ['approval.request', { operation: 'createPayout', amount: '250.00' }, 'Payout, €250.00'],
    ['account.update', { discountPercent: { from: '5', to: '7' } }, 'Discount 5% → 7%'],
    [
      'account.update',
      { 'limits.orderValueMax': { from: null, to: '100.00' } },
      'Largest order none → €100.00',
    ],
    ['account.create', { status: { from: null, to: 'active' } }, ''],
  ] as const;
  for (const [action, data, words] of cases) equal(summarize({ action, data }), words, action);
});

test('values of the log are words, amounts and lists', () => {
  equal(toLabel('limits.dailySpendMax'), 'Spend per UTC day');
  equal(toLabel('checkoutClass'), 'Checkout class');
  equal(toWords('holdOrders', true), 'Yes');
  equal(toWords('items', [{ id: '7', quantity: 2 }]), 'Id: 7, Quantity: 2');
  equal(toWords('name', null), '–');
  equal(
    toWords(
      'keyIds',
      Array.from({ length: 23 }, () => 'a'),
    ),
    `${'a, '.repeat(20)}and 3 others`,
  );
});

test('of the terms of an offer, only those that changed are named', () => {
  const before = { price: '10.00', status: 'active' };
  deepEqual(changesOfOffer({ offerId: '9fcbe201-0000', before, after: { ...before, price: '7.00' } }), [
    { member: 'Price of offer 9fcbe201', before: '€10.00', after: '€7.00' },
  ]);
});
