import { deepEqual, equal, match, ok, throws } from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'vitest';
import { ConfigError, describeConfig, parseConfig } from '../src/config.ts';

const ABOVE = 'KEYPORT_RISK_HOLD_ABOVE';
const YOUNGER = 'KEYPORT_RISK_HOLD_ACCOUNT_YOUNGER_THAN_HOURS';
const PER_HOUR = 'KEYPORT_RISK_HOLD_ORDERS_PER_HOUR';

test('without settings, no risk rule is active', () => {
  const { riskHoldAbove, riskHoldAccountYoungerThanHours, riskHoldOrdersPerHour } = parseConfig({});
  deepEqual([riskHoldAbove, riskHoldAccountYoungerThanHours, riskHoldOrdersPerHour], [undefined, 0, 0]);
});

test('risk rules are listed as set', () => {
  const settings = { [ABOVE]: '200.00', [YOUNGER]: '1.5', [PER_HOUR]: '40' };
  const shown = describeConfig(parseConfig(settings)).filter(({ variable }) => variable in settings);
  deepEqual(Object.fromEntries(shown.map(({ variable, value }) => [variable, value])), settings);
});

test('an invalid risk rule is rejected with its name and its valid values', () => {
  const rows: [variable: string, values: string[], takes: RegExp][] = [
    [ABOVE, ['many', '-1', '1.234', '1e3', '200,00', '1.'], /must be an amount in EUR such as 200\.00/],
    [YOUNGER, ['-1', 'a day', '1000001'], /must be a number from 0 to 1000000/],
    [PER_HOUR, ['-1', '2.5', 'x'], /must be a whole number from 0 to 1000000/],
  ];
  for (const [variable, values, takes] of rows) {
    for (const value of values) {
      throws(
        () => parseConfig({ [variable]: value }),
        (error) =>
          error instanceof ConfigError && error.message.includes(variable) && takes.test(error.message),
        `${variable}=${value}`,
      );
    }
  }
});

const LIVE = {
  KEYPORT_MODE: 'live',
  KEYPORT_DATABASE_URL: 'postgres://db.example/keyport',
  KEYPORT_MASTER_KEY_FILE: '/etc/keyport/master.key',
  KEYPORT_PUBLIC_URL: 'https://export.example',
};

test('live mode rejects the demo, and a public URL without TLS unless a proxy is trusted', () => {
  equal(parseConfig({ ...LIVE, KEYPORT_DEMO: 'false' }).demo, false);
  assertRejected({ ...LIVE, KEYPORT_DEMO: 'true' }, /KEYPORT_DEMO must not be true in live mode/);
  for (const weak of ['sixteen-and-more', 'aaaabbbbaaaabbbbaaaabbbbaaaabbbbaaaabbbb']) {
    const settings = { KEYPORT_OPERATOR_ID: 'boss', KEYPORT_OPERATOR_SECRET: weak };
    assertRejected(
      { ...LIVE, ...settings },
      /KEYPORT_OPERATOR_SECRET must have 32 to 200 random .*openssl rand/,
    );
    equal(parseConfig(settings).operatorSecret, weak);
  }
  const plain = { ...LIVE, KEYPORT_PUBLIC_URL: 'http://export.internal' };
  assertRejected(plain, /KEYPORT_PUBLIC_URL must start with https:\/\/ .* KEYPORT_TRUSTED_PROXIES/);
  equal(parseConfig({ ...plain, KEYPORT_TRUSTED_PROXIES: '10.0.0.5' }).publicUrl, 'http://export.internal');
});

test.each([
  'https://user:hush@export.example',
  'https://hush@export.example',
  'https://@export.example',
  'https://export.example/?token=hush',
  'https://export.example/path?',
  'https://export.example/#hush',
  'https:user:hush@export.example',
])(
  'a public address has no credentials, query or fragment, and the message does not show them: %s',
  (url) => {
    for (const variable of ['KEYPORT_PUBLIC_URL', 'KEYPORT_URL'])
      assertRejected(
        { [variable]: url },
        new RegExp(`^(?!.*hush)[^]*${variable} must be a URL without credentials, query or fragment`),
      );
  },
);

test('a client id begins and ends with a letter or digit', () => {
  for (const good of ['a', 'ops', 'first-operator_2']) {
    equal(parseConfig({ KEYPORT_OPERATOR_ID: good }).operatorId, good);
  }
  for (const bad of ['-ops', '_ops', 'ops-', 'ops_', '-', 'a b', 'a'.repeat(65)]) {
    assertRejected({ KEYPORT_OPERATOR_ID: bad }, /KEYPORT_OPERATOR_ID must have .* at both ends/);
  }
});

test.each([
  ['9464', { host: '127.0.0.1', port: 9464 }],
  ['10.0.0.5:9464', { host: '10.0.0.5', port: 9464 }],
  ['[::1]:0', { host: '::1', port: 0 }],
  ['metrics.internal:9464', { host: 'metrics.internal', port: 9464 }],
])('metrics listen at %s', (value, address) => {
  deepEqual(parseConfig({ KEYPORT_METRICS_PORT: value }).metricsPort, address);
});

test.each(['70000', '10.0.0.5:70000', '10.0.0.5', ':9464', 'a b:9464', '10.0.0.5:9464:'])(
  'metrics do not listen at %s',
  (value) => {
    throws(() => parseConfig({ KEYPORT_METRICS_PORT: value }), /KEYPORT_METRICS_PORT must be a port/);
  },
);

test('only secrets and database URLs can be read from a file', (t) => {
  const inFiles = describeConfig(parseConfig({})).flatMap(({ fileVariable }) => fileVariable ?? []);
  deepEqual(inFiles, [
    'KEYPORT_DATABASE_URL_FILE',
    'KEYPORT_DATABASE_DIRECT_URL_FILE',
    'KEYPORT_OPERATOR_SECRET_FILE',
    'KEYPORT_DEMO_CLIENT_SECRET_FILE',
    'KEYPORT_GATEWAY_SECRET_FILE',
    'KEYPORT_STRIPE_SECRET_KEY_FILE',
    'KEYPORT_OIDC_CLIENT_SECRET_FILE',
    'KEYPORT_SMTP_URL_FILE',
  ]);
  const url = toFile(t, 'postgres://keyport:word@db.example/keyport\n');
  const secret = toFile(t, 'an operator-secret with blanks'.replaceAll(' ', '.'));
  const config = parseConfig({ KEYPORT_DATABASE_URL_FILE: url, KEYPORT_OPERATOR_SECRET_FILE: secret });
  equal(config.databaseUrl, 'postgres://keyport:word@db.example/keyport');
  equal(config.operatorSecret, 'an.operator-secret.with.blanks');
  const shown = describeConfig(config).find(({ variable }) => variable === 'KEYPORT_DATABASE_URL');
  equal(shown?.value, '(set)');
  assertRejected({ KEYPORT_PORT_FILE: url }, /KEYPORT_PORT_FILE is not a setting/);
});

test('a file without a valid value is rejected with its name, without its content', (t) => {
  const rows: [settings: Record<string, string>, says: RegExp][] = [
    [
      { KEYPORT_OPERATOR_SECRET: 'a-configured-secret', KEYPORT_OPERATOR_SECRET_FILE: '/nowhere' },
      /KEYPORT_OPERATOR_SECRET and KEYPORT_OPERATOR_SECRET_FILE are both set: unset one/,
    ],
    [{ KEYPORT_OPERATOR_SECRET_FILE: '/nowhere' }, /file \/nowhere of .*_FILE, cannot be read \(ENOENT\)/],
    [{ KEYPORT_OPERATOR_SECRET_FILE: toFile(t, '\n') }, /is empty/],
    [
      { KEYPORT_OPERATOR_SECRET_FILE: toFile(t, 'too-weak') },
      /KEYPORT_OPERATOR_SECRET, from the file .*, must have 16/,
    ],
    [
      { KEYPORT_OPERATOR_SECRET_FILE: toFile(t, 'two-lines-of-text\ntoo-weak') },
      /contains U\+000A at position 18/,
    ],
  ];
  for (const [settings, says] of rows) assertRejected(settings, says);
});

test('single sign-on needs all of its settings', () => {
  const issuer = { KEYPORT_OIDC_ISSUER: 'http://id.example' };
  const client = { KEYPORT_OIDC_CLIENT_ID: 'keyport', KEYPORT_OIDC_CLIENT_SECRET: 'word' };
  for (const part of [issuer, client, { KEYPORT_OIDC_ROLE_CLAIM: 'groups' }]) {
    assertRejected(part, /KEYPORT_OIDC_CLIENT_SECRET must be set together/);
  }
  equal(parseConfig({ ...issuer, ...client }).oidcRoleClaim, undefined);
  const off = { KEYPORT_LOCAL_SIGN_IN: 'false' };
  for (const part of [{}, issuer, client]) {
    assertRejected({ ...part, ...off }, /KEYPORT_LOCAL_SIGN_IN must be true without OpenID Connect/);
  }
  equal(parseConfig({ ...issuer, ...client, ...off }).localSignIn, false);
});

test('variables of Kubernetes Services and Docker links with our prefix are left out', () => {
  const links = {
    KEYPORT_PORT: 'tcp://10.96.0.12:8080',
    KEYPORT_SERVICE_HOST: '10.96.0.12',
    KEYPORT_SERVICE_PORT: '8080',
    KEYPORT_SERVICE_PORT_HTTP: '8080',
    KEYPORT_PORT_8080_TCP: 'tcp://10.96.0.12:8080',
    KEYPORT_PORT_8080_TCP_PROTO: 'tcp',
    KEYPORT_PORT_8080_TCP_PORT: '8080',
    KEYPORT_PORT_8080_TCP_ADDR: '10.96.0.12',
    KEYPORT_METRICS_PORT: 'udp://[fd00::12]:9464',
    KEYPORT_METRICS_SERVICE_HOST: 'fd00::12',
    KEYPORT_DB_SERVICE_HOST: '10.96.0.13',
    KEYPORT_DB_PORT: 'sctp://10.96.0.13:5432',
    KEYPORT_NAME: '/web/keyport',
    KEYPORT_ENV_NODE_VERSION: '24.1.0',
    KEYPORT_DB_ENV_POSTGRES_PASSWORD: 'word',
  };
  deepEqual(parseConfig(links), parseConfig({}));
  const mistyped: [name: string, value: string][] = [
    ['KEYPORT_DB_PORT', '5432'],
    ['KEYPORT_PORT', 'http://10.96.0.12:8080'],
    ['KEYPORT_HOST', 'tcp://10.96.0.12:8080'],
    ['KEYPORT_SERVICE_HOST', 'db.example'],
    ['KEYPORT_SERVICE_URL', 'https://export.example'],
    ['KEYPORT_METRIC_PORT', '9464'],
    ['KEYPORT_NAME', 'keyport'],
    ['KEYPORT_PORT_8080_TCP_ADDR', 'localhost'],
  ];
  for (const [name, value] of mistyped) assertRejected({ ...links, [name]: value }, new RegExp(name));
});

test.each([
  ['a carriage return', '\r'],
  ['a line break', '\r\n'],
  ['a blank', ' '],
  ['a no-break space', '\u00a0'],
  ['a zero-width space', '\u200b'],
  ['a byte order mark', '\ufeff'],
  ['a direction mark', '\u200e'],
])('%s around a value is removed, and inside it is shown', (_name, character) => {
  const values = {
    KEYPORT_PUBLIC_URL: 'https://export.example',
    KEYPORT_PORT: '9000',
    KEYPORT_MODE: 'sandbox',
    KEYPORT_DATABASE_URL: 'postgres://keyport@db.example/keyport',
    KEYPORT_DATA_DIR: '/var/lib/keyport',
    KEYPORT_OPERATOR_SECRET: 'a-configured-secret',
    KEYPORT_TRUSTED_PROXIES: '10.0.0.5',
  };
  const spoilt = Object.entries(values).map(([name, value]) => [name, character + value + character]);
  deepEqual(parseConfig(Object.fromEntries(spoilt)), parseConfig(values));
  if (character === ' ') return;
  const code = character.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0');
  for (const [name, value] of Object.entries(values)) {
    const inside = value.slice(0, 3) + character + value.slice(3);
    assertRejected({ [name]: inside }, new RegExp(`${name} contains U\\+${code} at position 4`));
  }
});

test('a variable whose name has an invisible character does not pass for unset', () => {
  assertRejected({ '\ufeffKEYPORT_MODE': 'live' }, /KEYPORT_MODE contains U\+FEFF at position 1/);
});

test.each([
  'postgres://keyport:word@db.example:5432/keyport',
  'postgresql://db.example',
  'postgres:///keyport?host=/var/run/postgresql',
  'postgres://keyport:word@/keyport?host=db.example',
  'postgres://keyport:p%23a%2Fs@db.example/keyport',
  'postgres://keyport:100%@db.example/keyport',
  'postgres://keyport:p@ss@db.example/keyport?sslmode=no-verify',
  'postgres://[fd00::1]:5432/keyport?sslmode=verify-full&options=-c%20geqo%3Doff',
  'socket:/var/run/postgresql?db=keyport',
])('the address of a database that the driver takes is accepted: %s', (url) => {
  equal(parseConfig({ KEYPORT_DATABASE_URL: url }).databaseUrl, url);
});

const LIVE_WITHOUT_DATABASE = { ...LIVE, KEYPORT_DATABASE_URL: '' };

test.each([
  ['postgres://keyport:too#weak@db.example/keyport', /encode # as %23/],
  ['postgres://keyport:12#weak@db.example/keyport', /encode # as %23/],
  ['postgres://keyport:too/weak@db.example/keyport', /\/ as %2F/],
  ['postgres://keyport:12/weak@db.example/keyport', /\/ as %2F/],
  ['postgres://keyport:12?weak@db.example/keyport', /\? as %3F/],
  ['postgres://keyport:too:weak@db.example:port/keyport', /must be a URL such as/],
  ['mysql://db.example/keyport', /must be a URL such as postgres:/],
  ['db.example', /must be a URL such as postgres:/],
  ['postgres://db.example/k?sslmode=bogus', /must have disable, no-verify.* as sslmode/],
  ['postgres://db.example/k?ssl=false', /must have true, 1, 0 or no-verify as ssl/],
  ['postgres://db.example/k?sslnegotiation=now', /must have postgres or direct as sslnegotiation/],
  ['postgres://db.example/k?SSLMODE=require', /unknown parameter SSLMODE; known are ssl, sslmode/],
  ['postgres://db.example/k?sslrootcert=/tmp', /certificate file.*, which cannot be read \(EISDIR\)/],
  ['postgres://db.example/k?sslrootcert=/nowhere.pem', /file \/nowhere\.pem, which cannot be read \(ENOENT/],
])('the address of a database %s is rejected once, with the remedy', (url, says) => {
  for (const mode of [{}, LIVE_WITHOUT_DATABASE]) {
    assertRejected({ ...mode, KEYPORT_DATABASE_URL: url }, says);
    throws(
      () => parseConfig({ ...mode, KEYPORT_DATABASE_URL: url }),
      (error) => error instanceof ConfigError && error.message.split('\n').length === 2,
    );
  }
});

test('modes of TLS that the driver calls aliases are named as what they are', () => {
  for (const mode of ['prefer', 'require', 'verify-ca']) {
    const url = `postgres://db.example/keyport?sslmode=${mode}&application_name=x`;
    equal(parseConfig({ KEYPORT_DATABASE_URL: url }).databaseUrl, url.replace(mode, 'verify-full'));
  }
  const compatible = 'postgres://db.example/keyport?sslmode=require&uselibpqcompat=true';
  equal(parseConfig({ KEYPORT_DATABASE_URL: compatible }).databaseUrl, compatible);
});

function toFile(t: TestContext, text: string): string {
  const folder = mkdtempSync(join(tmpdir(), 'keyport-config-'));
  t.onTestFinished(() => rmSync(folder, { recursive: true }));
  const file = join(folder, 'value');
  writeFileSync(file, text);
  return file;
}

function assertRejected(settings: Record<string, string>, says: RegExp): void {
  throws(
    () => parseConfig(settings),
    (error) => {
      ok(error instanceof ConfigError);
      match(error.message, says);
      ok(!error.message.includes('too-weak'), 'no secret is shown');
      return true;
    },
  );
}

test('a mail server needs a sender, and an invalid mail setting is named without its password', () => {
  const from = 'Keyport Export <keyport@marketplace.example>';
  const url = 'smtp://keyport:hush%2Fword@mail.example:587';
  const config = parseConfig({ KEYPORT_SMTP_URL: url, KEYPORT_MAIL_FROM: from });
  deepEqual([config.smtpUrl, config.mailFrom], [url, from]);
  ok(!JSON.stringify(describeConfig(config)).includes('hush'));
  assertRejected({ KEYPORT_SMTP_URL: url }, /KEYPORT_MAIL_FROM must be set with KEYPORT_SMTP_URL/);
  assertRejected({ KEYPORT_MAIL_FROM: from }, /KEYPORT_MAIL_FROM is for KEYPORT_SMTP_URL, which is not set/);
  for (const wrong of [
    'mail.example',
    'http://mail.example',
    'smtp://',
    `${url}/?tls=no`,
    'smtp://a:100%@b.example',
    'smtp://a:hush#word@b.example',
    'smtp://a:hush/word@b.example',
  ])
    assertRejected(
      { KEYPORT_SMTP_URL: wrong, KEYPORT_MAIL_FROM: from },
      /KEYPORT_SMTP_URL must be smtp:\/\/ or smtps:\/\/ (?!.*hush).* encode # as %23, \/ as %2F/,
    );
  for (const wrong of [
    'keyport',
    'a@b@c',
    'Keyport <keyport>',
    'A, B <a@b.example>',
    'a@b.example\r\nBcc: c@d.example',
  ])
    assertRejected(
      { KEYPORT_SMTP_URL: url, KEYPORT_MAIL_FROM: wrong },
      /KEYPORT_MAIL_FROM (?:must be an email address|contains U\+000D)/,
    );
});
