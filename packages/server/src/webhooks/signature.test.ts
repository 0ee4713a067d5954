/** A312. */
import { deepEqual, equal, throws } from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { Webhook } from 'standardwebhooks';
import { test } from 'vitest';
import { SECRET_SIZE_BYTES, signatureHeaders, writeSecret } from './signature.ts';

const body = '{"id":"evt_1","type":"order.complete","data":{"name":"Zażółć ✓"}}';
const message = () => ({ id: 'evt_1', timestampSeconds: Math.floor(Date.now() / 1000), body });

test('the Standard Webhooks library accepts a delivery with each of the signing secrets', () => {
  const secrets = [randomBytes(SECRET_SIZE_BYTES), randomBytes(SECRET_SIZE_BYTES)];
  const headers = signatureHeaders(message(), secrets);
  for (const secret of secrets) {
    deepEqual(new Webhook(writeSecret(secret)).verify(body, headers), JSON.parse(body));
  }
  equal(headers['webhook-signature']?.split(' ').length, 2);
  throws(() => new Webhook(writeSecret(randomBytes(SECRET_SIZE_BYTES))).verify(body, headers));
});

test('the library rejects a different body, id or time', () => {
  const secret = randomBytes(SECRET_SIZE_BYTES);
  const headers = signatureHeaders(message(), [secret]);
  const webhook = new Webhook(writeSecret(secret));
  webhook.verify(body, headers);
  throws(() => webhook.verify(`${body} `, headers));
  throws(() => webhook.verify(body, { ...headers, 'webhook-id': 'evt_2' }));
  const later = String(Number(headers['webhook-timestamp']) + 1);
  throws(() => webhook.verify(body, { ...headers, 'webhook-timestamp': later }));
});

test('the library computes the same signature', () => {
  const secret = randomBytes(SECRET_SIZE_BYTES);
  const { id, timestampSeconds } = message();
  const expected = new Webhook(writeSecret(secret)).sign(id, new Date(timestampSeconds * 1000), body);
  equal(signatureHeaders({ id, timestampSeconds, body }, [secret])['webhook-signature'], expected);
});
