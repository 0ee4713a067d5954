import { deepEqual, equal } from 'node:assert/strict';
import { FORM_FIELDS } from '@keyport/contract/form-fields';
import { OPERATIONS } from '@keyport/contract/operations';
import { test } from 'vitest';
import { type BodySchema, toBodyForm } from './body-form.ts';

const ACCOUNT = {
  name: 'Acme Games',
  status: 'active',
  paymentMethod: 'balance',
  gatewayCustomer: null,
  discountPercent: '0.00',
  holdOrders: false,
  limits: { orderValueMax: null, dailySpendMax: '10.00', dailyUnitsMax: 5, reservedUnitsMax: 50 },
  returnWindowHours: 0,
  claimWindowHours: 720,
  balanceLowThreshold: null,
};

function formOf(name: keyof typeof FORM_FIELDS, values: object) {
  return toBodyForm(OPERATIONS[name].body as BodySchema, FORM_FIELDS[name], { values });
}

test('a form of changes sends only what was edited, as the schema wants it, and nothing that is hidden', () => {
  const form = formOf('updateAccount', ACCOUNT);
  equal(form.check(form.initial), 'Nothing has been changed yet.');
  const draft = {
    ...form.initial,
    name: ' Acme Games ',
    gatewayCustomer: 'cus_1',
    'limits.orderValueMax': '1.234,50',
    'limits.dailySpendMax': ' ',
    'limits.dailyUnitsMax': '12',
    holdOrders: true,
  };
  equal(form.check(draft), undefined);
  const limits = { orderValueMax: '1234.50', dailySpendMax: null, dailyUnitsMax: 12 };
  deepEqual(form.toBody(draft), { limits, holdOrders: true });
  deepEqual(form.toBody({ ...form.initial, paymentMethod: 'gateway', gatewayCustomer: 'cus_1' }), {
    paymentMethod: 'gateway',
    gatewayCustomer: 'cus_1',
  });
  deepEqual(form.toBody({ ...form.initial, paymentMethod: '' }), { paymentMethod: null });
});

test('a choice that is required and not made is a problem', () => {
  const form = formOf('createClaim', { reason: '' });
  equal(form.initial['reason'], '');
  equal(form.problems(form.initial)['reason'], 'Choose what is wrong with the keys.');
  equal(form.problems({ reason: 'already-used' })['reason'], undefined);
  const account = formOf('createAccount', {});
  equal(account.problems(account.initial)['paymentMethod'], undefined);
});

test('a new body has its required members and those that differ from the defaults', () => {
  const form = formOf('createAccount', { paymentMethod: 'balance', discountPercent: '0.00' });
  deepEqual(form.toBody({ ...form.initial, name: 'Acme' }), { name: 'Acme', paymentMethod: 'balance' });
  const addresses = formOf('updateClient', { allowedAddresses: ['192.0.2.1'] });
  equal(addresses.initial['allowedAddresses'], '192.0.2.1');
  deepEqual(addresses.toBody({ allowedAddresses: '192.0.2.1, 2001:db8::/32\n' }), {
    allowedAddresses: ['192.0.2.1', '2001:db8::/32'],
  });
});

test.each([
  [720, '30'],
  [36, '1.5'],
  [5, '5 h'],
  [0, '0'],
])('%d hours are shown as %s, and read again as the same hours', (hours, shown) => {
  const form = formOf('updateAccount', { ...ACCOUNT, claimWindowHours: hours, returnWindowHours: 1 });
  equal(form.initial['claimWindowHours'], shown);
  deepEqual(form.toBody({ ...form.initial, returnWindowHours: shown }), { returnWindowHours: hours });
});

test.each([
  ['name', '  ', 'Enter a name.'],
  ['name', 'é'.repeat(501), 'Enter at most 500 characters.'],
  ['discountPercent', '2.5 %', 'Enter a percentage such as 2.50.'],
  ['claimWindowHours', '0.3', 'Enter days such as 30 or 1.5, or hours such as 5 h.'],
  ['claimWindowHours', '1,5', undefined],
  ['limits.orderValueMax', '0', 'Enter an amount such as 250.00, or leave this empty.'],
  ['limits.orderValueMax', '', undefined],
  ['limits.dailySpendMax', '1.234', '1.234 could be 1234 or 1.23. Enter one of these.'],
  ['limits.dailyUnitsMax', 'many', 'Enter a whole number, or leave this empty for no limit.'],
  ['limits.dailyUnitsMax', '99999999999', 'This must be a whole number from 0 to 1000000000.'],
  ['returnWindowHours', '', 'Enter days such as 30 or 1.5, or hours such as 5 h.'],
])('%s %j gets %j', (name, value, problem) => {
  const form = formOf('updateAccount', ACCOUNT);
  equal(form.problems({ ...form.initial, [name]: value })[name], problem);
});
