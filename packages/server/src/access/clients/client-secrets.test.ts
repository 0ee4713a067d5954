import { equal, match, notDeepEqual, ok } from 'node:assert/strict';
import { createSecretKey, randomBytes } from 'node:crypto';
import { test } from 'vitest';
import { generateClientSecret, hashClientSecret, matchesLiveSecret } from './client-secrets.ts';

const macKey = createSecretKey(randomBytes(32));

test('a generated secret has 256 bits after the prefix that scanners search for', () => {
  const secrets = Array.from({ length: 100 }, generateClientSecret);
  for (const secret of secrets) match(secret, /^kpsec_[A-Za-z0-9_-]{43}$/);
  equal(new Set(secrets).size, 100);
});

test('the hash of a secret depends on the secret, its client and the key', () => {
  const mac = hashClientSecret(macKey, 'client', 'secret');
  ok(mac.equals(hashClientSecret(macKey, 'client', 'secret')));
  notDeepEqual(mac, hashClientSecret(macKey, 'client', 'secrets'));
  notDeepEqual(mac, hashClientSecret(macKey, 'clients', 'ecret'));
  notDeepEqual(mac, hashClientSecret(createSecretKey(randomBytes(32)), 'client', 'secret'));
});

test('either of two live secrets matches, and nothing matches without live secrets', () => {
  const [first, second, other] = ['a', 'b', 'c'].map((text) => hashClientSecret(macKey, 'client', text));
  ok(first !== undefined && second !== undefined && other !== undefined);
  equal(matchesLiveSecret(first, [first, second]), true);
  equal(matchesLiveSecret(second, [first, second]), true);
  equal(matchesLiveSecret(second, [second]), true);
  equal(matchesLiveSecret(other, [first, second]), false);
  equal(matchesLiveSecret(other, []), false);
  // The stand-in for an absent secret must not be a secret itself.
  equal(matchesLiveSecret(Buffer.alloc(32), []), false);
});
