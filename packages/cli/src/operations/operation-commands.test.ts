import { deepEqual } from 'node:assert/strict';
import { OPERATIONS, type OperationName } from '@keyport/contract/operations';
import type { OperationSpec } from '@keyport/contract/operations/operation-spec';
import type { TObject } from 'typebox';
import { test } from 'vitest';
import { formatList } from '../output.ts';
import { buildProgram } from '../program.ts';

test.each<[string, OperationName, Record<string, string>]>([
  ['account update', 'updateAccount', {}],
  ['account list', 'listAccounts', {}],
  ['order refund', 'refundOrder', {}],
  ['statement', 'getStatement', { createdAtFrom: 'from', createdAtTo: 'to' }],
  ['books', 'getTrialBalance', {}],
])('the options of `keyport %s` are the members of %s', (path, name, renamed) => {
  const { query, body }: OperationSpec = OPERATIONS[name];
  const members = Object.keys({ ...query?.properties, ...(body as TObject | undefined)?.properties });
  let command = buildProgram();
  for (const word of path.split(' '))
    command = command.commands.find((one) => one.name() === word) ?? command;
  const general = ['all', 'csv', 'idempotencyKey', 'json', 'output', 'url'];
  const own = command.options.map((option) => option.attributeName()).filter((one) => !general.includes(one));
  deepEqual(own.sort(), members.map((member) => renamed[member] ?? member).sort());
});

test('a list is printed with the columns of the contract, the id first, and its values with their labels', () => {
  const entry = {
    at: '2026-11-21T09:30:00Z',
    clientId: 'ops',
    action: 'order.refund',
    orderId: '17',
    data: { amount: '2.50' },
  };
  deepEqual(formatList('listAudit', [entry]).split('\n').at(0)?.split(/ +/), [
    'at',
    'clientId',
    'memberId',
    'action',
    'accountId',
    'orderId',
    'amount',
    'data',
  ]);
  deepEqual(formatList('listAudit', [entry]).includes(' order.refund (Order refunded) '), true);
  deepEqual(formatList('listSellers', [{ id: '7', name: 'Key Cellar' }]), 'id  name\n7   Key Cellar');
  deepEqual(formatList('listOfferHistory', [{ at: 'noon', price: '1.00' }]), 'at    price\nnoon  1.00');
});
