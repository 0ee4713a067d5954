import { deepEqual, equal, match } from 'node:assert/strict';
import { createLogger } from '@keyport/http/logging/log';
import { test } from 'vitest';
import { describeConnectFailure, isConnectFailure, Outage } from './connect-failure.ts';

const node = (code: string, message = code) => Object.assign(new Error(message), { code });
const server = (code: string, message: string) =>
  Object.assign(new Error(message), { code, severity: 'FATAL' });

test.each([
  [
    server('28P01', 'password authentication failed'),
    /rejects the connection: password.*Correct user and password/,
  ],
  [server('28000', 'no pg_hba.conf entry'), /pg_hba.conf entry\. Let the role in/],
  [
    server('3D000', 'database "x" does not exist'),
    /does not exist\. Create the database, or correct its name/,
  ],
  [server('55000', 'not accepting'), /ALLOW_CONNECTIONS true/],
  [server('53300', 'too many'), /raise max_connections/],
  [server('53200', 'out of memory'), /Free memory or disk space/],
  [server('57P03', 'starting up'), /Wait until it has started/],
  [server('58030', 'I/O error'), /Check the disk/],
  [server('08P01', 'bad protocol'), /names a PostgreSQL server/],
  [server('42501', 'other'), /^the database rejects the connection: other$/],
  [node('SELF_SIGNED_CERT_IN_CHAIN'), /unknown authority.*sslrootcert=<file>/],
  [node('DEPTH_ZERO_SELF_SIGNED_CERT'), /unknown authority/],
  [node('UNABLE_TO_VERIFY_LEAF_SIGNATURE'), /unknown authority/],
  [node('CERT_HAS_EXPIRED'), /has expired\. Renew it/],
  [node('CERT_NOT_YET_VALID'), /not valid yet\. Check the clocks/],
  [node('ERR_TLS_CERT_ALTNAME_INVALID', "not in the cert's list"), /for another name.*Use that name/],
  [node('ERR_SSL_TLSV1_ALERT_UNKNOWN_CA'), /TLS connection .* failed.*Check the certificates/],
  [node('EPROTO'), /TLS connection .*PGSSLMODE/],
  [node('ERR_OSSL_X509_KEY_VALUES_MISMATCH'), /key .* does not belong to its certificate\. Correct sslcert/],
  [node('ERR_OSSL_PEM_NO_START_LINE'), /TLS connection .* failed.*Check the certificates/],
  [node('ECONNREFUSED'), /does not respond \(ECONNREFUSED\)\. Start it/],
  [node('ENOTFOUND'), /does not respond \(ENOTFOUND\)/],
  [
    new Error('The server does not support SSL connections'),
    /does not offer TLS.*use disable as sslmode .*PGSSLMODE/,
  ],
  [new Error('SASL: client password must be a string'), /requires a password/],
  [new Error('Connection terminated due to connection timeout'), /does not respond/],
])('a failed connection (%s) is described with its remedy', (error, says) => {
  match(describeConnectFailure(error), says);
});

test('an outage is logged once, however many callers notice it, and again after it was over', () => {
  const lines: string[] = [];
  const log = createLogger('warn', { write: (line) => void lines.push(JSON.parse(line).msg) });
  const outage = new Outage((cause) => log.error(cause));
  const refused = () => node('ECONNREFUSED');
  const errors = Array.from({ length: 100 }, refused);
  for (const error of errors) {
    outage.begin(error);
    log.error({ err: new Error('request failed', { cause: error }) }, 'a consequence');
  }
  equal(outage.isOver, false);
  equal(errors.every(isConnectFailure), true);
  outage.begin(node('ENOTFOUND'));
  outage.end();
  equal(outage.isOver, true);
  log.error({ err: new Error('other') }, 'another error');
  deepEqual(
    lines.map((line) => /ECONNREFUSED|ENOTFOUND|another|consequence/.exec(line)?.[0]),
    ['ECONNREFUSED', 'ENOTFOUND', 'another'],
  );
});
