/**
 * Uses a service correctly and incorrectly, breaks its database, and then searches every log line for every
 * secret.
 */
import { deepEqual, equal, match, ok } from 'node:assert/strict';
import { randomBytes, randomUUID } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Writable } from 'node:stream';
import { createLogger } from '@keyport/http/logging/log';
import { test } from 'vitest';
import { sql } from '../../src/db/sql.ts';
import { type Harness, manual, startHarness } from '../support/harness.ts';
import { enter, postLink, someEmail } from '../support/person.ts';
import { rawRequest, sendRaw } from '../transport/support.ts';

const OPERATOR_SECRET = 'test-operator-secret';

test('the log at trace level has no key code, secret, password, token, cookie, link or master key', async (t) => {
  let log = '';
  const destination = new Writable({
    write(chunk, _encoding, done) {
      log += chunk;
      done();
    },
  });
  const masterKey = randomBytes(32).toString('base64');
  const masterKeyFile = join(tmpdir(), `keyport-${randomUUID()}.key`);
  await writeFile(masterKeyFile, masterKey, { mode: 0o600 });
  const gatewaySecret = randomBytes(32).toString('base64url');
  const settings = {
    KEYPORT_LOG_LEVEL: 'trace',
    KEYPORT_METRICS_PORT: '0',
    KEYPORT_MASTER_KEY_FILE: masterKeyFile,
    KEYPORT_GATEWAY: 'http',
    // Nothing listens there, so every charge fails.
    KEYPORT_GATEWAY_URL: 'http://127.0.0.1:1',
    KEYPORT_GATEWAY_KEY_ID: 'test',
    KEYPORT_GATEWAY_SECRET: gatewaySecret,
  };
  const h = await startHarness(t, settings, undefined, createLogger('trace', destination));
  const shop = await h.seed.listing({ stock: 4 });
  const reseller = await h.seed.reseller({ balance: '100.00' });
  const payer = await h.seed.reseller({
    account: { paymentMethod: 'gateway', gatewayCustomer: 'hidden-customer' },
  });
  const secrets = new Set([
    OPERATOR_SECRET,
    masterKey,
    gatewaySecret,
    h.operatorToken,
    ...[reseller, payer].flatMap(({ clientSecret, token }) => [clientSecret, token]),
    ...shop.codes,
  ]);
  const sent = (label: string) => {
    const secret = `${label}-${randomUUID()}`;
    secrets.add(secret);
    return secret;
  };

  const placed = await reseller.order(manual(shop.offerId));
  equal(placed.status, 201);
  const orderId = placed.body.data.id;
  const keysPath = `/orders/${orderId}/keys`;
  equal((await reseller.get(keysPath)).status, 200);
  equal((await payer.order(manual(shop.offerId))).status, 402);
  await reseller.order(
    { manual: { offerId: sent('offer'), quantity: 1, maxPrice: sent('price') } },
    sent('key'),
  );

  const form = (fields: Record<string, string>) => ({
    method: 'POST',
    body: new URLSearchParams({ grant_type: 'client_credentials', ...fields }),
  });
  const client = { client_id: reseller.clientId };
  const tokenUrl = `${h.url}/oauth/token`;
  const toStatus = async (url: string, init: RequestInit) => (await fetch(url, init)).status;
  const basic = Buffer.from(`${reseller.clientId}:${sent('wrong')}`).toString('base64');
  secrets.add(basic);
  equal(await toStatus(tokenUrl, form({ ...client, client_secret: sent('wrong') })), 401);
  equal(
    await toStatus(
      `${tokenUrl}?client_secret=${sent('query')}`,
      form({ ...client, client_secret: sent('x') }),
    ),
    400,
  );
  equal(await toStatus(tokenUrl, { ...form({}), headers: { authorization: `Basic ${basic}` } }), 401);
  equal(await toStatus(tokenUrl, { method: 'POST', body: sent('plain') }), 415);

  await signInAndFail(h, secrets, sent);

  const authorization = `Authorization: Bearer ${reseller.token}`;
  const port = Number(new URL(h.url).port);
  const wrong = [
    `GET /export/v1/orders?token=${sent('query')} HTTP/1.1\r\nHost: x\r\n${authorization}\r\nX: \u0000\r\n\r\n`,
    rawRequest('GET /export/v1/orders', ['Host: x', authorization, `X: ${'x'.repeat(17_000)}`]),
    rawRequest('POST /export/v1/orders', ['Host: x', authorization, 'Content-Length: -1']),
    rawRequest(`GET /${sent('path')}`, ['Host: x', authorization, `Cookie: ${sent('cookie')}`]),
    rawRequest(`GET /export/v1/products/${sent('product')}`, ['Host: x', authorization]),
    rawRequest('GET /export/v1/account', ['Host: x', `Authorization: Bearer ${sent('token')}`]),
  ];
  for (const bytes of wrong) {
    const { status } = await sendRaw(port, bytes);
    ok(status >= 400 && status < 500, `${status} for ${bytes.slice(0, 60)}`);
  }

  const db = h.database.db;
  const add = (codes: string[]) =>
    h.admin('POST', `/offers/${shop.offerId}/keys`, { keys: codes.map((code) => ({ code })) });
  equal((await add([sent('code'), sent('code')])).status, 201);
  await sql`UPDATE stock_key SET ciphertext = set_byte(ciphertext, 0, 255 - get_byte(ciphertext, 0))`.execute(
    db,
  );
  equal((await reseller.get(keysPath)).status, 500);
  await sql`UPDATE stock_key SET ciphertext = set_byte(ciphertext, 0, 255 - get_byte(ciphertext, 0))`.execute(
    db,
  );
  await sql`ALTER TABLE stock_key RENAME TO stock_key_away`.execute(db);
  equal((await add([sent('code'), sent('code')])).status, 500);
  equal((await reseller.get(keysPath)).status, 500);
  await sql`ALTER TABLE stock_key_away RENAME TO stock_key`.execute(db);
  await sql`ALTER TABLE client_secret RENAME TO client_secret_away`.execute(db);
  equal(await toStatus(tokenUrl, form({ ...client, client_secret: sent('wrong') })), 503);
  await sql`ALTER TABLE client_secret_away RENAME TO client_secret`.execute(db);

  const places = {
    log,
    metrics: await (await fetch(h.service.metricsUrl ?? '')).text(),
    health: await (await fetch(`${h.url}/health/ready`)).text(),
  };
  for (const [place, text] of Object.entries(places)) {
    const found = [...secrets].filter((secret) => text.includes(secret));
    deepEqual(found, [], `in ${place}`);
  }
  // The faults with the tables and the client are logged.
  match(log, /stock_key/);
  match(log, /client_secret/);
  match(log, /person_token/);
  ok(log.includes(reseller.clientId));
  for (const line of log.trim().split('\n')) ok(JSON.parse(line).time, line);
});

/** A person signs in with right and wrong credentials, even while the tables are missing. */
async function signInAndFail(
  h: Harness,
  secrets: Set<string>,
  sent: (label: string) => string,
): Promise<void> {
  const db = h.database.db;
  const email = someEmail();
  const { invitationUrl } = await h.operate('POST', '/operators', { name: 'Ada', email, role: 'admin' });
  const person = enter(h, await postLink(h, invitationUrl));
  const [link = '', session = ''] = [invitationUrl, person.cookie].map((text) => text.split('=').at(-1));
  for (const secret of [link, session, person.csrfToken]) secrets.add(secret);
  const password = sent('password');
  const choose = () => person.call('PUT', '/console/profile/password', { body: { password } });
  const signIn = async (word: string) => {
    const request = { body: { email, password: word }, headers: { origin: h.url } };
    return (await h.call('POST', '/console/session/password', request)).status;
  };
  equal((await choose()).status, 204);
  deepEqual([await signIn(sent('wrong')), await signIn(password)], [401, 200]);
  equal((await postLink(h, invitationUrl)).status, 401);
  equal((await postLink(h, `http://x/#token=${sent('link')}`)).status, 401);
  const { invitationUrl: unused } = await h.operate('POST', `/operators/${person.id}/invite`);
  secrets.add(unused.split('=').at(-1) ?? '');
  await sql`ALTER TABLE person_token RENAME TO person_token_away`.execute(db);
  const faults = [await person.call('GET', '/admin/v1/orders'), await postLink(h, unused), await choose()];
  deepEqual([...faults.map(({ status }) => status), await signIn(password)], Array(4).fill(500));
  await sql`ALTER TABLE person_token_away RENAME TO person_token`.execute(db);
}
