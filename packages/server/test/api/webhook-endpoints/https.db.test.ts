/** A313. */
import { deepEqual, equal, match } from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { promisify } from 'node:util';
import { Webhook } from 'standardwebhooks';
import { type TestContext, test } from 'vitest';
import { auto, startHarness } from '../../support/harness.ts';
import { skipBecause } from '../../support/vitest.ts';
import { waitUntil } from '../../support/webhook-receiver.ts';

const OPENSSL = '/usr/bin/openssl';
const run = promisify(execFile);

type Certificate = { readonly key: string; readonly cert: string };

/** Creates an authority named `name` that signs certificates. */
async function createAuthority(folder: string, name: string) {
  const make = async (file: string, args: readonly string[]): Promise<Certificate> => {
    const [key, cert] = [join(folder, `${file}.key`), join(folder, `${file}.pem`)];
    const curve = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes', '-days', '2'];
    await run(OPENSSL, ['req', '-x509', ...curve, '-keyout', key, '-out', cert, ...args]);
    return { key: await readFile(key, 'utf8'), cert: await readFile(cert, 'utf8') };
  };
  const { cert } = await make(name, ['-subj', `/CN=${name}`]);
  const issuer = ['-CA', join(folder, `${name}.pem`), '-CAkey', join(folder, `${name}.key`)];
  return {
    cert,
    sign: (host: string) =>
      make(`${name}-${host}`, [
        ...issuer,
        ...['-subj', `/CN=${host}`, '-addext', `subjectAltName=DNS:${host}`],
        ...['-addext', 'basicConstraints=critical,CA:FALSE'],
      ]),
  };
}

type Received = { readonly headers: Record<string, string>; readonly body: string };

async function startReceiver(t: TestContext, certificate: Certificate) {
  const received: Received[] = [];
  const server = createServer(certificate, async (request, response) => {
    received.push({ headers: request.headers as Record<string, string>, body: await text(request) });
    response.writeHead(204).end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  t.onTestFinished(() => {
    server.close();
    server.closeAllConnections();
  });
  return { url: `https://localhost:${(server.address() as AddressInfo).port}/hook`, received };
}

test('only a receiver with a certificate of a trusted authority gets the order', async (t) => {
  skipBecause(t, !existsSync(OPENSSL) && 'openssl is not installed');
  const folder = await mkdtemp(join(tmpdir(), 'keyport-https-'));
  t.onTestFinished(() => rm(folder, { recursive: true }));
  const [trusted, unknown] = [
    await createAuthority(folder, 'trusted'),
    await createAuthority(folder, 'unknown'),
  ];
  const usual = getCACertificates();
  setDefaultCACertificates([...usual, trusted.cert]);
  t.onTestFinished(() => setDefaultCACertificates(usual));
  const h = await startHarness(t);
  const reseller = await h.seed.reseller({ balance: '10.00' });
  const { productId } = await h.seed.listing({ price: '1.00' });
  const receivers = {
    right: await startReceiver(t, await trusted.sign('localhost')),
    ofAnotherHost: await startReceiver(t, await trusted.sign('shop.example')),
    ofAnybody: await startReceiver(t, await unknown.sign('localhost')),
  };
  const endpointAt = async ({ url }: { readonly url: string }) => {
    const body = { url, types: ['order.complete'] };
    const created = await h.call('POST', '/export/v1/webhook-endpoints', { token: reseller.token, body });
    equal(created.status, 201);
    return created.body.data;
  };
  const [right, ofAnotherHost, ofAnybody] = [
    await endpointAt(receivers.right),
    await endpointAt(receivers.ofAnotherHost),
    await endpointAt(receivers.ofAnybody),
  ];
  const { id } = (await reseller.order(auto(productId))).body.data;
  const attemptAt = (endpoint: { readonly id: string }) =>
    waitUntil(async () => {
      const path = `/export/v1/webhook-endpoints/${endpoint.id}/deliveries`;
      return (await h.call('GET', path, { token: reseller.token })).body.data[0]?.attempts[0];
    }, 'an attempt');

  equal((await attemptAt(right)).statusCode, 204);
  const [{ headers, body }] = receivers.right.received as [Received];
  const event = new Webhook(right.secret).verify(body, headers) as { data: { order: { id: string } } };
  equal(event.data.order.id, id);
  match((await attemptAt(ofAnotherHost)).error, /ERR_TLS_CERT_ALTNAME_INVALID/);
  match((await attemptAt(ofAnybody)).error, /UNABLE_TO_VERIFY|SELF_SIGNED|UNABLE_TO_GET_ISSUER/);
  deepEqual([receivers.ofAnotherHost.received, receivers.ofAnybody.received], [[], []]);
});
