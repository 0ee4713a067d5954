/** The worked example in docs/payments.md, against which integrators check their signatures. */
import { equal, ok } from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'vitest';
import { isSameSignature, signRequest, signResponse } from './signature.ts';

const SECRET = 'wJ8kq2Zr5Xn7Vt3Yb9Lp4Mc6Hd1Gf0Ss';
const NONCE = '0123456789abcdef0123456789abcdef';
const TIMESTAMP = '1795262400';

const REQUEST = {
  method: 'POST',
  path: '/keyport/charges',
  timestamp: TIMESTAMP,
  nonce: NONCE,
  body: '{"orderId":"2174313041580715","customer":"acme","amountMinor":1000,"currency":"EUR"}',
};
const RESPONSE = {
  nonce: NONCE,
  status: 200,
  timestamp: TIMESTAMP,
  body: '{"orderId":"2174313041580715","status":"paid","reference":"p-42","amountMinor":1000,"currency":"EUR"}',
};

test('the worked example in the document matches the bodies and signatures of this code', () => {
  const text = readFileSync(join(import.meta.dirname, '../../../../docs/payments.md'), 'utf8');
  const parts = [
    SECRET,
    REQUEST.body,
    RESPONSE.body,
    signRequest(SECRET, REQUEST),
    signResponse(SECRET, RESPONSE),
  ];
  for (const part of parts) ok(text.includes(part), `the document shows ${part}`);
});

test('every signed part changes the signature', () => {
  const variants = [
    signRequest(SECRET, REQUEST),
    ...Object.keys(REQUEST).map((name) => signRequest(SECRET, { ...REQUEST, [name]: 'other' })),
    signRequest(`${SECRET}x`, REQUEST),
    signResponse(SECRET, RESPONSE),
    signResponse(SECRET, { ...RESPONSE, nonce: 'other' }),
    signResponse(SECRET, { ...RESPONSE, status: 201 }),
    signResponse(SECRET, { ...RESPONSE, timestamp: '1795262401' }),
    signResponse(SECRET, { ...RESPONSE, body: '{}' }),
  ];
  equal(new Set(variants).size, variants.length);
});

test('only an identical signature matches', () => {
  const signature = signResponse(SECRET, RESPONSE);
  ok(isSameSignature(signature, signature));
  for (const other of [null, '', 'v1=', signature.slice(0, -1), `${signature}0`, signature.toUpperCase()]) {
    ok(!isSameSignature(other, signature));
  }
});
