import { deepEqual, equal } from 'node:assert/strict';
import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import { OPERATION_LIST } from '@keyport/contract/operations';
import { must } from '@keyport/core/assert';
import { ApiError } from '@keyport/http/replies/api-error';
import { Exchange } from '@keyport/http/server/exchange';
import { test } from 'vitest';
import { createRehearse } from './rehearse.ts';

const operation = must(
  OPERATION_LIST.find(({ name }) => name === 'getOwnAccount'),
  'a reseller operation',
);
const route = { method: 'GET', path: operation.path, handle: () => ({ status: 204 }) };

function exchangeWith(scenario: string): Exchange {
  const request = new IncomingMessage(new Socket());
  request.rawHeaders = ['Keyport-Scenario', scenario];
  return new Exchange(request, new ServerResponse(request), { route, params: {} }, undefined);
}

function rehearseUntil(closing: AbortSignal, exchange: Exchange) {
  const error = () => new ApiError('order-expired');
  const rehearse = createRehearse({
    publicUrl: () => 'http://127.0.0.1',
    hasGateway: true,
    hasResult: async () => false,
    closing,
    perSecondOf: () => 0,
    describeKeys: { 'order-not-complete': error, 'order-expired': error },
  });
  const principal = { role: 'reseller', clientId: 'client', accountId: 'account' } as const;
  return rehearse({ operation, exchange, principal, check: () => {} }, () => ({ status: 204 }));
}

test('a delay ends when the service stops, and the request still gets its response', async () => {
  const closing = new AbortController();
  const pending = rehearseUntil(closing.signal, exchangeWith('delay:60000'));
  closing.abort();
  deepEqual(await pending, { status: 204 });
});

test('a delay ends when the caller disconnects', async () => {
  const exchange = exchangeWith('delay:60000');
  const pending = rehearseUntil(new AbortController().signal, exchange);
  exchange.response.emit('close');
  deepEqual(await pending, { status: 204 });
});

test('a forced error is returned, not thrown, so that it raises no alarm', async () => {
  const exchange = exchangeWith('error:internal-server-error');
  const reply = await rehearseUntil(new AbortController().signal, exchange);
  equal(reply.status, 500);
});
