/**
 * Every setting: one table yields the parsed, frozen configuration, the text of `keyport config` and the table in
 * docs/settings.md. Nothing else reads the environment. R24.
 */
import { readFileSync } from 'node:fs';
import { isIP } from 'node:net';
import { must } from '@keyport/core/assert';
import { parseMinor } from '@keyport/core/money';
import { parseAddressSet } from '@keyport/http/admission/addresses';

const MODES = ['sandbox', 'live'] as const;
export type Mode = (typeof MODES)[number];

const GATEWAYS = ['simulator', 'stripe', 'http', 'none'] as const;
type GatewayChoice = (typeof GATEWAYS)[number];

/** The value, or an error message that completes "<variable> …". */
type Parsed<Value> = { readonly value: Value } | { readonly error: string };

type Setting<Value = unknown> = {
  readonly variable: string;
  readonly default: string | undefined;
  /** Instead of a default: what is in force in each mode unless it is set. */
  readonly byMode?: Readonly<Record<Mode, Value>>;
  readonly description: string;
  /** Left out of what is printed, and may be in a file that the variable with `_FILE` at the end names. */
  readonly isSecret?: true;
  readonly parse: (text: string) => Parsed<Value>;
};

/** A setting without a default is undefined unless it is set. */
export type Config = { readonly [Name in keyof typeof SETTINGS]: ValueOf<(typeof SETTINGS)[Name]> } & {
  /** Where the settings are from, by their variables. */
  readonly sources: Readonly<Record<string, SettingSource>>;
};

type SettingSource = 'default' | 'environment' | 'file';

type ValueOf<Row extends Setting> =
  | (Row extends Setting<infer Value> ? Value : never)
  | (Row extends { readonly default: string } | { readonly byMode: object } ? never : undefined);

const LOG_LEVELS = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'] as const;

function text(value: string): Parsed<string> {
  return value.trim() === '' ? { error: 'must not be empty' } : { value };
}

function choice<const Choice extends string>(values: readonly Choice[]) {
  return (text: string): Parsed<Choice> => {
    const value = values.find((one) => one === text);
    return value === undefined ? { error: `must be one of ${values.join(', ')}` } : { value };
  };
}

function wholeNumber(min: number, max: number) {
  return (value: string): Parsed<number> =>
    /^\d{1,12}$/.test(value) && Number(value) >= min && Number(value) <= max
      ? { value: Number(value) }
      : { error: `must be a whole number from ${min} to ${max}` };
}

function decimal(min: number, max: number) {
  return (value: string): Parsed<number> =>
    /^\d{1,9}(\.\d{1,9})?$/.test(value) && Number(value) >= min && Number(value) <= max
      ? { value: Number(value) }
      : { error: `must be a number from ${min} to ${max}` };
}

function amount(value: string): Parsed<string> {
  return parseMinor(value) === undefined
    ? { error: 'must be an amount in EUR such as 200.00, with at most 2 decimals' }
    : { value };
}

function flag(value: string): Parsed<boolean> {
  return value === 'true' || value === 'false'
    ? { value: value === 'true' }
    : { error: 'must be true or false' };
}

function host(value: string): Parsed<string> {
  return isIP(value) !== 0 || /^[A-Za-z0-9.-]+$/.test(value)
    ? { value }
    : { error: 'must be an IP address or a host name' };
}

function addresses(value: string): Parsed<readonly string[]> {
  const list = value.split(',').map((text) => text.trim());
  return parseAddressSet(list).ok
    ? { value: list }
    : { error: 'must be addresses or ranges with commas between them, such as 10.0.0.5,10.1.0.0/16' };
}

function url(...protocols: string[]) {
  return (value: string): Parsed<string> => {
    const parsed = URL.parse(value);
    return parsed !== null && protocols.includes(parsed.protocol)
      ? { value: value.replace(/\/+$/, '') }
      : {
          error: `must be a URL that starts with ${protocols.map((protocol) => `${protocol}//`).join(' or ')}`,
        };
  };
}

/** An address that paths are appended to: credentials, a query or a fragment in it would be lost or sent wrongly. */
function baseUrl(value: string): Parsed<string> {
  const parsed = URL.parse(value);
  const isPlain = parsed !== null && parsed.username + parsed.password + parsed.search + parsed.hash === '';
  return isPlain
    ? url('http:', 'https:')(value)
    : { error: 'must be a URL without credentials, query or fragment, such as https://pay.example/keyport' };
}

/** An address whose paths are not ours to choose. */
function origin(value: string): Parsed<string> {
  return URL.parse(value)?.pathname === '/'
    ? baseUrl(value)
    : { error: 'must be a URL without a path, such as https://api.stripe.com' };
}

/** Restricted keys are better than secret ones: they can be limited to what is needed (docs/payments.md). */
function stripeKey(value: string): Parsed<string> {
  return /^(sk|rk)_(test|live)_[A-Za-z0-9_]{16,}$/.test(value)
    ? { value }
    : { error: 'must be a secret or restricted key of Stripe, which begins with sk_ or rk_' };
}

/** Shared with the provider and typed by people, so its length alone does not show that it is strong. */
function sharedSecret(value: string): Parsed<string> {
  const isStrong = value.length >= 32 && value.length <= 200 && new Set(value).size >= 12;
  return isStrong && /^[\x21-\x7e]+$/.test(value)
    ? { value }
    : {
        error:
          'must have 32 to 200 random printable ASCII characters without blanks (openssl rand -base64 48)',
      };
}

/** Begins and ends so that a double click takes all of it, and so that it never looks like an option. */
function clientId(value: string): Parsed<string> {
  return /^(?![_-])[A-Za-z0-9_-]{1,64}(?<![_-])$/.test(value)
    ? { value }
    : {
        error:
          'must have 1 to 64 letters, digits, hyphens or underscores, with a letter or digit at both ends',
      };
}

function keyId(value: string): Parsed<string> {
  return /^[A-Za-z0-9_-]{1,64}$/.test(value)
    ? { value }
    : { error: 'must have 1 to 64 letters, digits, hyphens or underscores' };
}

function secret(value: string): Parsed<string> {
  return value.length >= 16 && value.length <= 200 && /^[\x21-\x7e]+$/.test(value)
    ? { value }
    : { error: 'must have 16 to 200 printable ASCII characters without blanks' };
}

const SETTINGS = {
  host: { variable: 'KEYPORT_HOST', default: '127.0.0.1', description: 'address to listen on', parse: host },
  port: {
    variable: 'KEYPORT_PORT',
    default: '8080',
    description: 'port to listen on; 0 picks a free one and prints it',
    parse: wholeNumber(0, 65535),
  },
  trustedProxies: {
    variable: 'KEYPORT_TRUSTED_PROXIES',
    default: undefined,
    description:
      'addresses and ranges of the proxies in front, with commas between them; who called them is read from X-Forwarded-For',
    parse: addresses,
  },
  mode: {
    variable: 'KEYPORT_MODE',
    default: 'sandbox',
    description: 'sandbox or live',
    parse: choice(MODES),
  },
  databaseUrl: {
    variable: 'KEYPORT_DATABASE_URL',
    default: undefined,
    description: 'PostgreSQL URL; without it the embedded database is used',
    isSecret: true,
    parse: url('postgres:', 'postgresql:'),
  },
  databaseDirectUrl: {
    variable: 'KEYPORT_DATABASE_DIRECT_URL',
    default: undefined,
    description:
      'the same database past a pooler such as PgBouncer, for notifications between nodes and migrations; KEYPORT_DATABASE_URL when not set',
    isSecret: true,
    parse: url('postgres:', 'postgresql:'),
  },
  preparedStatements: {
    variable: 'KEYPORT_PREPARED_STATEMENTS',
    default: 'true',
    description:
      'prepare statements by name; false behind a pooler that does not keep names, such as PgBouncer before 1.21',
    parse: flag,
  },
  dataDir: {
    variable: 'KEYPORT_DATA_DIR',
    default: '.data',
    description: "the embedded database's folder; `memory` keeps nothing on disk",
    parse: text,
  },
  demo: {
    variable: 'KEYPORT_DEMO',
    default: undefined,
    byMode: { sandbox: true, live: false },
    description:
      'seed the demo catalogue and reseller on an empty database; true in sandbox mode, refused in live mode',
    parse: flag,
  },
  publicUrl: {
    variable: 'KEYPORT_PUBLIC_URL',
    default: undefined,
    description:
      'URL that callers use, the issuer of tokens and the base of doc_url; made from host and port; required in live mode, with https unless KEYPORT_TRUSTED_PROXIES is set',
    parse: url('http:', 'https:'),
  },
  serviceUrl: {
    variable: 'KEYPORT_URL',
    default: undefined,
    description:
      'where commands such as `keyport order list` find the service; otherwise where `keyport serve` on this machine wrote in KEYPORT_DATA_DIR that it listens, or at host and port',
    parse: url('http:', 'https:'),
  },
  operatorId: {
    variable: 'KEYPORT_OPERATOR_ID',
    default: undefined,
    description: 'client id of the first operator; generated and printed once',
    parse: clientId,
  },
  operatorSecret: {
    variable: 'KEYPORT_OPERATOR_SECRET',
    default: undefined,
    description: 'its secret, if it is new; generated and printed once',
    isSecret: true,
    parse: secret,
  },
  demoClientId: {
    variable: 'KEYPORT_DEMO_CLIENT_ID',
    default: undefined,
    description: 'client id of the demo reseller; generated and kept in the data folder',
    parse: clientId,
  },
  demoClientSecret: {
    variable: 'KEYPORT_DEMO_CLIENT_SECRET',
    default: undefined,
    description: 'its secret; generated and kept in the data folder',
    isSecret: true,
    parse: secret,
  },
  masterKeyFile: {
    variable: 'KEYPORT_MASTER_KEY_FILE',
    default: undefined,
    description:
      '32 bytes in base64 that encrypt product keys and signing keys; generated in the data folder in sandbox mode, required in live mode',
    parse: text,
  },
  tokenTtlSeconds: {
    variable: 'KEYPORT_TOKEN_TTL_SECONDS',
    default: '3600',
    description: 'life of an access token, seconds',
    parse: wholeNumber(1, 86_400),
  },
  idempotencyCooldownMs: {
    variable: 'KEYPORT_IDEMPOTENCY_COOLDOWN_MS',
    default: '2000',
    description: 'how long after its first answer a repeated Idempotency-Key still gets 409, milliseconds',
    parse: wholeNumber(0, 600_000),
  },
  keysWindowHours: {
    variable: 'KEYPORT_KEYS_WINDOW_HOURS',
    default: '48',
    description: 'for how long after completion keys can be read, hours',
    parse: decimal(0, 1_000_000),
  },
  rateLimitReadsPerSecond: {
    variable: 'KEYPORT_RATE_LIMIT_READS_PER_SECOND',
    default: '0',
    description: 'reads a second per client; 0: no limit',
    parse: wholeNumber(0, 1_000_000),
  },
  rateLimitOrdersPerSecond: {
    variable: 'KEYPORT_RATE_LIMIT_ORDERS_PER_SECOND',
    default: '0',
    description: 'orders a second per client; 0: no limit',
    parse: wholeNumber(0, 1_000_000),
  },
  gatewayTimeoutMs: {
    variable: 'KEYPORT_GATEWAY_TIMEOUT_MS',
    default: '10000',
    description: 'how long an order waits for the payment provider, milliseconds',
    parse: wholeNumber(1, 600_000),
  },
  approvalAbove: {
    variable: 'KEYPORT_APPROVAL_ABOVE',
    default: undefined,
    description:
      'refunds of an order, and deposits, adjustments and payouts of an account, that exceed this in 24 hours wait for a second person, EUR',
    parse: amount,
  },
  riskHoldAbove: {
    variable: 'KEYPORT_RISK_HOLD_ABOVE',
    default: undefined,
    description: 'orders with a higher total than this are paid and then held for a person, EUR',
    parse: amount,
  },
  riskHoldAccountYoungerThanHours: {
    variable: 'KEYPORT_RISK_HOLD_ACCOUNT_YOUNGER_THAN_HOURS',
    default: '0',
    description: 'orders of accounts younger than this are paid and then held, hours; 0: none',
    parse: decimal(0, 1_000_000),
  },
  riskHoldOrdersPerHour: {
    variable: 'KEYPORT_RISK_HOLD_ORDERS_PER_HOUR',
    default: '0',
    description:
      'orders of an account beyond this many in one hour of the clock are paid and then held; 0: none',
    parse: wholeNumber(0, 1_000_000),
  },
  gateway: {
    variable: 'KEYPORT_GATEWAY',
    default: undefined,
    byMode: { sandbox: 'simulator', live: 'none' },
    description:
      'payment provider of accounts with the payment method gateway: simulator, stripe, http or none; simulator in sandbox mode, none in live mode',
    parse: choice(GATEWAYS),
  },
  gatewayConcurrency: {
    variable: 'KEYPORT_GATEWAY_CONCURRENCY',
    default: '64',
    description: 'charges that the payment provider is asked for at once; four times as many may wait',
    parse: wholeNumber(1, 1000),
  },
  gatewayUrl: {
    variable: 'KEYPORT_GATEWAY_URL',
    default: undefined,
    description: 'base URL of the provider with KEYPORT_GATEWAY=http; https in live mode',
    parse: baseUrl,
  },
  gatewayKeyId: {
    variable: 'KEYPORT_GATEWAY_KEY_ID',
    default: undefined,
    description: 'names the secret to that provider',
    parse: keyId,
  },
  gatewaySecret: {
    variable: 'KEYPORT_GATEWAY_SECRET',
    default: undefined,
    description: 'signs requests and answers of that provider',
    isSecret: true,
    parse: sharedSecret,
  },
  stripeSecretKey: {
    variable: 'KEYPORT_STRIPE_SECRET_KEY',
    default: undefined,
    description:
      'secret or restricted key with KEYPORT_GATEWAY=stripe; a test key in sandbox mode, a live key in live mode',
    isSecret: true,
    parse: stripeKey,
  },
  stripeUrl: {
    variable: 'KEYPORT_STRIPE_URL',
    default: 'https://api.stripe.com',
    description: "address of Stripe's interface; https in live mode",
    parse: origin,
  },
  oidcIssuer: {
    variable: 'KEYPORT_OIDC_ISSUER',
    default: undefined,
    description:
      'OpenID Connect provider by which operators sign in; https in live mode; its callback is /console/session/oidc/callback below the public URL',
    parse: baseUrl,
  },
  oidcClientId: {
    variable: 'KEYPORT_OIDC_CLIENT_ID',
    default: undefined,
    description: 'what that provider calls this service',
    parse: text,
  },
  oidcClientSecret: {
    variable: 'KEYPORT_OIDC_CLIENT_SECRET',
    default: undefined,
    description: 'the secret to that provider',
    isSecret: true,
    parse: text,
  },
  oidcRoleClaim: {
    variable: 'KEYPORT_OIDC_ROLE_CLAIM',
    default: undefined,
    description:
      'claim with the role (viewer, support, catalogue, finance, admin), a text or a list; it is then taken at each sign-in, and new people need no invitation',
    parse: text,
  },
  localSignIn: {
    variable: 'KEYPORT_LOCAL_SIGN_IN',
    default: 'true',
    description:
      'false: operators sign in at the OpenID Connect provider only; passwords, passkeys and their sessions stop working, links still work',
    parse: flag,
  },
  importRemovalMaxCount: {
    variable: 'KEYPORT_IMPORT_REMOVAL_MAX_COUNT',
    default: '50',
    description:
      'offers or keys that an import may take off sale because they are missing in it, whatever their share; more need a confirmation',
    parse: wholeNumber(0, 1_000_000_000),
  },
  importRemovalMaxPercent: {
    variable: 'KEYPORT_IMPORT_REMOVAL_MAX_PERCENT',
    default: '20',
    description: 'the same as a share of those on sale, percent; 100: never a confirmation',
    parse: wholeNumber(0, 100),
  },
  lowStockUnits: {
    variable: 'KEYPORT_LOW_STOCK_UNITS',
    default: '10',
    description:
      'offers that sold in the last 7 days and have at most so many units left are shown to operators as low; 0: only those without any',
    parse: wholeNumber(0, 1_000_000),
  },
  verifyIntervalSeconds: {
    variable: 'KEYPORT_VERIFY_INTERVAL_SECONDS',
    default: '60',
    description:
      'from one check of the invariants to the next, seconds; longer on a big database; with PostgreSQL only; 0: never',
    parse: wholeNumber(0, 86_400),
  },
  metricsPort: {
    variable: 'KEYPORT_METRICS_PORT',
    default: undefined,
    description: 'port on which /metrics is served, apart from the service; not served without it',
    parse: wholeNumber(0, 65535),
  },
  metricsHost: {
    variable: 'KEYPORT_METRICS_HOST',
    default: '127.0.0.1',
    description: 'address for /metrics; not one that resellers reach',
    parse: host,
  },
  stopDelayMs: {
    variable: 'KEYPORT_STOP_DELAY_MS',
    default: undefined,
    byMode: { sandbox: 0, live: 5000 },
    description:
      'how long a node that was asked to stop is not ready but answers, so that balancers notice, milliseconds; 0 in sandbox mode, 5000 in live mode',
    parse: wholeNumber(0, 600_000),
  },
  otlpUrl: {
    variable: 'KEYPORT_OTLP_URL',
    default: undefined,
    description:
      'base URL of an OpenTelemetry collector that takes traces by OTLP over HTTP, such as http://127.0.0.1:4318; without it nothing is traced',
    parse: baseUrl,
  },
  traceRatio: {
    variable: 'KEYPORT_TRACE_RATIO',
    default: '1',
    description: 'the part of the requests without a traceparent that is traced, 0 to 1',
    parse: decimal(0, 1),
  },
  logLevel: {
    variable: 'KEYPORT_LOG_LEVEL',
    default: 'info',
    description: LOG_LEVELS.join(', '),
    parse: choice(LOG_LEVELS),
  },
} as const satisfies Readonly<Record<string, Setting>>;

const SETTING_ROWS = Object.entries<Setting>(SETTINGS);

export class ConfigError extends Error {
  constructor(problems: readonly string[]) {
    super(`The configuration is not valid:\n${problems.map((problem) => `  ${problem}`).join('\n')}`);
    this.name = 'ConfigError';
  }
}

/** The configuration from the environment. Throws ConfigError that names every wrong variable and what it takes. */
export function parseConfig(environment: Readonly<Record<string, string | undefined>> = process.env): Config {
  const problems: string[] = [];
  const values: Record<string, unknown> = {};
  const sources: Record<string, SettingSource> = {};
  for (const [name, setting] of SETTING_ROWS) {
    const given = readGiven(setting, environment);
    sources[setting.variable] = sourceOf(given);
    const raw = 'error' in given ? undefined : (given.text ?? setting.default);
    const parsed = 'error' in given ? given : raw === undefined ? { value: raw } : setting.parse(raw);
    if ('error' in parsed) problems.push(`${setting.variable}${given.from} ${parsed.error}.`);
    else values[name] = parsed.value;
  }
  for (const variable of Object.keys(environment)) {
    if (variable.startsWith('KEYPORT_') && !isKnownVariable(variable)) {
      problems.push(`${variable} is not a setting; \`keyport config\` lists them.`);
    }
  }
  const mode = values['mode'] === 'sandbox' ? 'sandbox' : 'live';
  for (const [name, { byMode }] of SETTING_ROWS) values[name] ??= byMode?.[mode];
  const config = { ...values, sources } as Config;
  if (config.databaseDirectUrl !== undefined && config.databaseUrl === undefined) {
    problems.push('KEYPORT_DATABASE_DIRECT_URL needs KEYPORT_DATABASE_URL, the address of the pooler.');
  }
  if (config.mode === 'live') problems.push(...liveProblems(config));
  // A value that was rejected above is missing here; saying that it is missing would mislead.
  if (problems.length === 0) problems.push(...gatewayProblems(config), ...oidcProblems(config));
  if (problems.length > 0) throw new ConfigError(problems);
  return Object.freeze(config);
}

/** What is given for a setting, in its variable or in a file. `from` completes the variable's name in messages. */
function readGiven(
  setting: Setting,
  environment: Readonly<Record<string, string | undefined>>,
): { from: string; text: string | undefined } | { from: string; error: string } {
  const text = environment[setting.variable] || undefined;
  const fileVariable = fileVariableOf(setting);
  const file = fileVariable === undefined ? undefined : environment[fileVariable] || undefined;
  if (file === undefined) return { from: '', text };
  if (text !== undefined) return { from: ` and ${fileVariable}`, error: 'are both set: unset one of them' };
  const from = `, from the file ${file} of ${fileVariable},`;
  try {
    const content = readFileSync(file, 'utf8').replace(/(\r?\n)+$/, '');
    return content === '' ? { from, error: 'is empty' } : { from, text: content };
  } catch (error) {
    const reason = error instanceof Error && 'code' in error ? String(error.code) : String(error);
    return { from, error: `cannot be read (${reason})` };
  }
}

function sourceOf(given: ReturnType<typeof readGiven>): SettingSource {
  if (given.from !== '') return 'file';
  return 'text' in given && given.text !== undefined ? 'environment' : 'default';
}

function fileVariableOf({ variable, isSecret }: Setting): string | undefined {
  return isSecret === true ? `${variable}_FILE` : undefined;
}

/** Variables of the tests and the command line share the prefix but are not settings of the service. */
function isKnownVariable(variable: string): boolean {
  return (
    variable.startsWith('KEYPORT_TEST_') ||
    SETTING_ROWS.some(([, setting]) => [setting.variable, fileVariableOf(setting)].includes(variable))
  );
}

/** What live mode rejects (R24, A251). */
function liveProblems(config: Config): string[] {
  const problems: string[] = [];
  if (config.databaseUrl === undefined) {
    problems.push(
      'KEYPORT_DATABASE_URL must name a PostgreSQL server in live mode: the embedded database does not survive a power cut.',
    );
  }
  if (config.masterKeyFile === undefined) {
    problems.push(
      'KEYPORT_MASTER_KEY_FILE must name a file with 32 bytes in base64 in live mode (openssl rand -base64 32).',
    );
  }
  if (config.publicUrl === undefined) {
    problems.push('KEYPORT_PUBLIC_URL must be set in live mode: it is the issuer of the tokens.');
  }
  if (config.publicUrl?.startsWith('http:') && config.trustedProxies === undefined) {
    problems.push(
      'KEYPORT_PUBLIC_URL must start with https:// in live mode, because secrets and keys travel over it. ' +
        'Within a private network, name the proxy in front in KEYPORT_TRUSTED_PROXIES, and http:// is accepted.',
    );
  }
  const judged = config.operatorSecret === undefined ? undefined : sharedSecret(config.operatorSecret);
  if (judged !== undefined && 'error' in judged) {
    problems.push(`KEYPORT_OPERATOR_SECRET ${judged.error} in live mode.`);
  }
  if (config.demo) {
    problems.push(
      'KEYPORT_DEMO must not be true in live mode: everyone can read the secret of its reseller.',
    );
  }
  return problems;
}

/** Settings of one provider, all of them needed. */
const PROVIDER_SETTINGS = {
  stripe: ['stripeSecretKey'],
  http: ['gatewayUrl', 'gatewayKeyId', 'gatewaySecret'],
} as const satisfies Partial<Record<GatewayChoice, readonly (keyof Config)[]>>;

/** Half-configured providers, those that could take real money in the sandbox, and those that take none in live mode. */
function gatewayProblems(config: Config): string[] {
  const { mode, gateway } = config;
  const problems: string[] = [];
  for (const [choice, names] of Object.entries(PROVIDER_SETTINGS)) {
    for (const name of names) {
      const { variable } = SETTINGS[name];
      const isGiven = config[name] !== undefined;
      if (choice === gateway && !isGiven)
        problems.push(`${variable} must be set with KEYPORT_GATEWAY=${gateway}.`);
      if (choice !== gateway && isGiven) {
        problems.push(
          `${variable} is for KEYPORT_GATEWAY=${choice}, which is ${gateway}: change one or unset the other.`,
        );
      }
    }
  }
  if (gateway === 'simulator' && mode === 'live') {
    problems.push(
      'KEYPORT_GATEWAY must be stripe, http or none in live mode: the simulator delivers without charging anyone.',
    );
  }
  const usedUrl =
    gateway === 'stripe' ? config.stripeUrl : gateway === 'http' ? config.gatewayUrl : undefined;
  if (mode === 'live' && usedUrl?.startsWith('https://') === false) {
    const { variable } = SETTINGS[gateway === 'stripe' ? 'stripeUrl' : 'gatewayUrl'];
    problems.push(`${variable} must start with https:// in live mode.`);
  }
  const stripeMode = config.stripeSecretKey?.split('_')[1];
  const wantedMode = mode === 'live' ? 'live' : 'test';
  if (gateway === 'stripe' && stripeMode !== undefined && stripeMode !== wantedMode) {
    problems.push(
      `KEYPORT_STRIPE_SECRET_KEY must be a ${wantedMode} key in ${mode} mode, not a ${stripeMode} key.`,
    );
  }
  return problems;
}

/** Single sign-on that is configured by half, or over a wire that others can read. */
function oidcProblems(config: Config): string[] {
  const { mode, oidcIssuer, oidcClientId, oidcClientSecret, oidcRoleClaim, localSignIn } = config;
  const given = [oidcIssuer, oidcClientId, oidcClientSecret];
  if (!localSignIn && given.includes(undefined)) {
    return [
      'KEYPORT_LOCAL_SIGN_IN must be true without OpenID Connect: set KEYPORT_OIDC_ISSUER, KEYPORT_OIDC_CLIENT_ID and ' +
        'KEYPORT_OIDC_CLIENT_SECRET too, or no operator could sign in.',
    ];
  }
  if ([...given, oidcRoleClaim].every((value) => value === undefined)) return [];
  if (given.includes(undefined)) {
    return [
      'KEYPORT_OIDC_ISSUER, KEYPORT_OIDC_CLIENT_ID and KEYPORT_OIDC_CLIENT_SECRET must be set together.',
    ];
  }
  return mode === 'live' && oidcIssuer?.startsWith('https://') === false
    ? ['KEYPORT_OIDC_ISSUER must start with https:// in live mode.']
    : [];
}

export type SettingDescription = {
  readonly variable: string;
  /** Names a file with the value instead; undefined for what is no secret. */
  readonly fileVariable: string | undefined;
  readonly default: string | undefined;
  readonly description: string;
  readonly source: SettingSource;
  readonly isSecret: boolean;
  /** What is in force; secrets as `(set)`. */
  readonly value: string | undefined;
};

/** Every setting with its meaning and what is in force, for `keyport config` and docs/settings.md. */
export function describeConfig(config: Config): SettingDescription[] {
  return SETTING_ROWS.map(([name, setting]) => {
    const value = config[name as keyof Config];
    const shown = value === undefined ? undefined : setting.isSecret === true ? '(set)' : String(value);
    const fileVariable = fileVariableOf(setting);
    const inFile = fileVariable === undefined ? '' : `; or a file with it in ${fileVariable}`;
    return {
      variable: setting.variable,
      fileVariable,
      default: setting.default,
      description: setting.description + inFile,
      source: must(config.sources[setting.variable], 'every setting has a source'),
      isSecret: setting.isSecret === true,
      value: shown,
    };
  });
}

/** Where this machine reaches a service that listens there; an address that means all is called by the loopback one. */
export function localUrl(host: string, port: number): string {
  if (host === '0.0.0.0' || host === '::') return `http://127.0.0.1:${port}`;
  // IPv6 addresses stand in brackets in a URL.
  return host.includes(':') ? `http://[${host}]:${port}` : `http://${host}:${port}`;
}
