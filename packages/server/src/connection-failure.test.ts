import { equal, match } from 'node:assert/strict';
import { test } from 'vitest';
import { describeConnectionFailure } from './connection-failure.ts';

const withCode = (code: string) => Object.assign(new Error('failed'), { code });

test.each([
  ['UNABLE_TO_VERIFY_LEAF_SIGNATURE', /intermediate certificates/],
  ['UNABLE_TO_GET_ISSUER_CERT_LOCALLY', /authority/],
  ['SELF_SIGNED_CERT_IN_CHAIN', /authority/],
  ['DEPTH_ZERO_SELF_SIGNED_CERT', /self-signed/],
  ['CERT_HAS_EXPIRED', /has expired/],
  ['UNSPECIFIED', /certificate was rejected, .* too weak/],
  ['ERR_OSSL_EVP_UNSUPPORTED', /handshake/],
  ['CERT_NOT_YET_VALID', /not valid yet/],
  ['ERR_TLS_CERT_ALTNAME_INVALID', /different host name/],
  ['EPROTO', /handshake/],
  ['ERR_SSL_WRONG_VERSION_NUMBER', /handshake/],
  ['ECONNREFUSED', /nothing listens/],
  ['ECONNRESET', /closed/],
  ['ENOTFOUND', /does not exist/],
  ['EAI_AGAIN', /name servers/],
  ['EHOSTUNREACH', /no route/],
  ['ENETUNREACH', /no route/],
  ['ETIMEDOUT', /Timed out while connecting/],
])('%s is explained in a sentence', (code, sentence) => {
  const direct = describeConnectionFailure(withCode(code));
  match(direct, sentence);
  match(direct, new RegExp(`\\(${code}\\)\\.$`));
  const wrapped = new TypeError('fetch failed', {
    cause: new AggregateError([withCode(code), withCode('EPIPE')]),
  });
  equal(describeConnectionFailure(wrapped), direct);
});

test('unknown codes are shown, and names of members of objects are not sentences', () => {
  equal(describeConnectionFailure(withCode('EWHATEVER')), 'The connection failed (EWHATEVER).');
  equal(describeConnectionFailure(withCode('constructor')), 'The connection failed (constructor).');
  equal(describeConnectionFailure('text'), 'The connection failed.');
  equal(describeConnectionFailure(withCode('UND_ERR_CONNECT_TIMEOUT')), 'Timed out while connecting.');
});
