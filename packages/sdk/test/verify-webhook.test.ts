import { deepEqual, equal, rejects } from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { Webhook } from 'standardwebhooks';
import { test } from 'vitest';
import {
  verifyWebhook,
  type WebhookInput,
  type WebhookProblem,
  WebhookVerificationError,
} from '../src/verify-webhook.ts';

const newSecret = () => `whsec_${randomBytes(24).toString('base64')}`;
const secret = newSecret();
const event = {
  id: 'evt_1',
  type: 'order.complete',
  createdAt: '2026-11-21T09:30:00.123456Z',
  data: { name: 'Zoë' },
};
const body = JSON.stringify(event);

/** Headers as the reference implementation signs them. */
function signed(options: { secret?: string; body?: string; ageSeconds?: number } = {}) {
  const at = new Date(Date.now() - (options.ageSeconds ?? 0) * 1000);
  return {
    'webhook-id': 'evt_1',
    'webhook-timestamp': String(Math.floor(at.getTime() / 1000)),
    'webhook-signature': new Webhook(options.secret ?? secret).sign('evt_1', at, options.body ?? body),
  };
}

const refused = (input: WebhookInput, reason: WebhookProblem) =>
  rejects(
    verifyWebhook(input),
    (error) => error instanceof WebhookVerificationError && error.reason === reason,
  );

test('a webhook of the reference implementation is accepted, in every form of headers and bodies', async () => {
  const headers = signed();
  const upper = Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name.toUpperCase(), [value]]),
  );
  for (const given of [headers, new Headers(headers), upper, { ...headers, other: undefined }]) {
    deepEqual(await verifyWebhook({ body, headers: given, secret }), event);
  }
  for (const given of [
    Buffer.from(body),
    new TextEncoder().encode(body),
    Uint8Array.from(Buffer.from(body)).buffer,
  ]) {
    deepEqual(await verifyWebhook({ body: given, headers, secret }), event);
  }
  deepEqual(await verifyWebhook({ body, headers, secret: secret.replace('whsec_', '') }), event);
});

test('while secrets overlap, any secret fits any signature', async () => {
  const other = newSecret();
  const both = `${signed({ secret: other })['webhook-signature']} ${signed()['webhook-signature']}`;
  const headers = { ...signed(), 'webhook-signature': `v1a,abc ${both}` };
  deepEqual(await verifyWebhook({ body, headers, secret }), event);
  deepEqual(await verifyWebhook({ body, headers: signed(), secret: [other, secret] }), event);
});

test('a secret that is missing or empty is named', async () => {
  for (const none of [undefined, [undefined], [], '', 'whsec_']) {
    const input = { body, headers: signed(), secret: none as string };
    await rejects(verifyWebhook(input), {
      name: 'TypeError',
      message: /^secret must be the secret of the endpoint/,
    });
  }
});

test('a changed body, id, time or signature, and a different secret, are rejected', async () => {
  const headers = signed();
  await refused({ body: `${body} `, headers, secret }, 'wrong-signature');
  await refused({ body, headers: { ...headers, 'webhook-id': 'evt_2' }, secret }, 'wrong-signature');
  const later = String(Number(headers['webhook-timestamp']) + 1);
  await refused({ body, headers: { ...headers, 'webhook-timestamp': later }, secret }, 'wrong-signature');
  await refused({ body, headers, secret: newSecret() }, 'wrong-signature');
  const [version, signature = ''] = headers['webhook-signature'].split(',');
  for (const wrong of [
    `${version},${Buffer.alloc(32).toString('base64')}`,
    `${version},${signature.slice(0, 20)}`,
    `${version},%`,
    `v2,${signature}`,
    signature,
    'v1,',
  ]) {
    await refused({ body, headers: { ...headers, 'webhook-signature': wrong }, secret }, 'wrong-signature');
  }
});

test('the time may be off by at most five minutes either way', async () => {
  for (const ageSeconds of [-299, 299]) {
    equal((await verifyWebhook({ body, headers: signed({ ageSeconds }), secret })).id, 'evt_1');
  }
  await refused({ body, headers: signed({ ageSeconds: 302 }), secret }, 'timestamp-too-old');
  await refused({ body, headers: signed({ ageSeconds: -302 }), secret }, 'timestamp-too-new');
  for (const timestamp of ['soon', '1e9', '-1', ' 1', '1.5', '9'.repeat(16)]) {
    await refused(
      { body, headers: { ...signed(), 'webhook-timestamp': timestamp }, secret },
      'malformed-header',
    );
  }
});

test('missing and repeated headers are rejected', async () => {
  for (const name of ['webhook-id', 'webhook-timestamp', 'webhook-signature'] as const) {
    const { [name]: value, ...rest } = signed();
    await refused({ body, headers: rest, secret }, 'missing-header');
    await refused({ body, headers: { ...rest, [name]: [value, value] }, secret }, 'missing-header');
    await refused({ body, headers: new Headers(rest), secret }, 'missing-header');
  }
});

test('a signed body that is not JSON is rejected; a parsed body and a bad secret throw a TypeError', async () => {
  await refused({ body: '{', headers: signed({ body: '{' }), secret }, 'malformed-body');
  await rejects(verifyWebhook({ body: event as never, headers: signed(), secret }), TypeError);
  for (const bad of ['whsec_', 'whsec_ä', []]) {
    await rejects(verifyWebhook({ body, headers: signed(), secret: bad }), TypeError);
  }
});
