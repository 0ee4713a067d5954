/** Forged tokens get the same bytes as a missing one, except the challenge. R5, A23, A25. */
import { equal, ok } from 'node:assert/strict';
import { createHmac, createPublicKey, generateKeyPairSync, type KeyObject, sign } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { test } from 'vitest';
import { sharedHarness } from '../../packages/server/test/support/vitest.ts';

const h = await sharedHarness();
const { token } = await h.seed.reseller();
const [header = '', payload = '', signature = ''] = token.split('.');
const claims: Record<string, unknown> = JSON.parse(Buffer.from(payload, 'base64url').toString());
const { kid }: { kid: string } = JSON.parse(Buffer.from(header, 'base64url').toString());
const jwks: { keys: Record<string, string>[] } = await (await fetch(`${h.url}/.well-known/jwks.json`)).json();
const publicJwk = jwks.keys.find((key) => key['kid'] === kid) ?? {};
const publicKey = createPublicKey({ key: publicJwk, format: 'jwk' });
const own = generateKeyPairSync('ec', { namedCurve: 'P-256' });

test('the unchanged token is accepted', async () => {
  equal((await ask(token)).status, 200);
});

test('a token with any changed character is rejected, even where only padding bits differ', async () => {
  const responses = new Map<string, number>();
  for (let at = 0; at < token.length; at += 1) {
    const char = token[at] ?? '';
    const other = char === 'A' ? 'B' : 'A';
    const bent = token.slice(0, at) + other + token.slice(at + 1);
    const { status, text } = await ask(bent);
    responses.set(`${status} ${text}`, (responses.get(`${status} ${text}`) ?? 0) + 1);
  }
  equal(responses.size, 1, [...responses.keys()].join('\n'));
  ok([...responses.keys()][0]?.startsWith('401 '));
});

test('a token without a signature, or with one that anyone can make, is rejected', async () => {
  const pem = publicKey.export({ format: 'pem', type: 'spki' });
  const secrets = [
    pem,
    String(pem).trim(),
    publicKey.export({ format: 'der', type: 'spki' }),
    JSON.stringify(publicJwk),
    publicJwk['x'] ?? '',
    '',
  ];
  const bent = [
    ...['none', 'None', 'NONE', 'nOnE', '', null, 0, ['ES256'], 'ES256 '].map(
      (alg) => `${part({ alg, typ: 'at+jwt', kid })}.${payload}.`,
    ),
    ...['none', 'None', 'ES256'].map((alg) => `${part({ alg, typ: 'at+jwt', kid })}.${payload}.AA`),
    ...secrets.flatMap((secret) =>
      ['HS256', 'ES256'].map((alg) => withHmac({ alg, typ: 'at+jwt', kid }, secret)),
    ),
    `${header}.${payload}`,
    `${header}.${payload}.${signature}.${signature}`,
    `${header}..${signature}`,
    `.${payload}.${signature}`,
    // An ECDSA signature of r = s = 0, which some libraries have accepted for anything.
    `${header}.${payload}.${Buffer.alloc(64).toString('base64url')}`,
    `${header}.${part({ ...claims, role: 'operator' })}.${signature}`,
    `${header}.${Buffer.from(`${JSON.stringify(claims).slice(0, -1)},"role":"operator"}`).toString('base64url')}.${signature}`,
    `${token}=`,
    `${header}.${payload}.${signature.replaceAll('_', '/').replaceAll('-', '+')}==`,
  ];
  for (const one of bent) equal((await ask(one)).status, 401, one);
});

test('a key id that is a path, a query, a list or another owner’s finds no key', async () => {
  const kids = [
    '',
    '../../dev/null',
    '/dev/null',
    'file:///dev/null',
    "' OR 1=1 --",
    `${kid}\u0000`,
    kid.toUpperCase(),
    `${kid} `,
    '__proto__',
    'constructor',
    'toString',
    '*',
    null,
    0,
    [kid],
    { $ne: '' },
    'x'.repeat(2_000),
  ];
  for (const one of kids)
    equal((await ask(signed({ alg: 'ES256', typ: 'at+jwt', kid: one }))).status, 401, JSON.stringify(one));
  equal((await ask(signed({ alg: 'ES256', typ: 'at+jwt' }))).status, 401);
});

test('a token that names the URL of its key is rejected, and the URL is never fetched', async (t) => {
  let visits = 0;
  const attacker = createServer((_request, response) => {
    visits += 1;
    response.end(JSON.stringify({ keys: [{ ...own.publicKey.export({ format: 'jwk' }), kid }] }));
  });
  attacker.listen(0, '127.0.0.1');
  await once(attacker, 'listening');
  t.onTestFinished(() => void attacker.close());
  const address = attacker.address();
  ok(address !== null && typeof address === 'object');
  const url = `http://127.0.0.1:${address.port}/keys`;
  const jwk = { ...own.publicKey.export({ format: 'jwk' }), kid };
  for (const extra of [
    { jku: url },
    { x5u: url },
    { jwk },
    { x5c: [own.publicKey.export({ format: 'der', type: 'spki' }).toString('base64')] },
    { jku: url, x5u: url, jwk },
  ]) {
    equal((await ask(signed({ alg: 'ES256', typ: 'at+jwt', kid, ...extra }))).status, 401);
    equal((await ask(signed({ alg: 'ES256', typ: 'at+jwt', ...extra }))).status, 401);
  }
  equal(visits, 0);
});

async function ask(bearer: string): Promise<{ status: number; text: string; challenge: string | null }> {
  const response = await fetch(`${h.url}/export/v1/account`, {
    headers: { authorization: `Bearer ${bearer}` },
  });
  const traceId = response.headers.get('x-trace-id') ?? '';
  const text = (await response.text()).replaceAll(traceId, '(trace id)');
  return { status: response.status, text, challenge: response.headers.get('www-authenticate') };
}

function part(value: object): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url');
}

/** Correctly signed, but with the attacker's own key. */
function signed(head: object, said: object = claims, key: KeyObject = own.privateKey): string {
  const text = `${part(head)}.${part(said)}`;
  return `${text}.${sign('sha256', Buffer.from(text), { key, dsaEncoding: 'ieee-p1363' }).toString('base64url')}`;
}

function withHmac(head: object, secret: string | Buffer): string {
  const text = `${part(head)}.${payload}`;
  return `${text}.${createHmac('sha256', secret).update(text).digest('base64url')}`;
}
