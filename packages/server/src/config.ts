/** `keyport config` prints the settings. */
import { readFileSync } from 'node:fs';
import { isIP } from 'node:net';
import { must } from '@keyport/core/assert';
import { findInvisible, trimInvisible } from '@keyport/core/invisible';
import { parseMinor } from '@keyport/core/money';
import { parseAddressSet } from '@keyport/http/admission/addresses';
import { ENCODING, parseDatabaseUrl } from './database-url.ts';

const MODES = ['sandbox', 'live'] as const;
export type Mode = (typeof MODES)[number];

const GATEWAYS = ['simulator', 'stripe', 'http', 'none'] as const;
type GatewayChoice = (typeof GATEWAYS)[number];

type Parsed<Value> = { readonly value: Value } | { readonly error: string };

type Setting<Value = unknown> = {
  /** Default: KEYPORT_ and the name in upper snake case. */
  readonly variable?: string;
  readonly default?: string;
  readonly byMode?: Readonly<Record<Mode, Value>>;
  readonly description: string;
  /** Never printed. A variable that ends with `_FILE` can name a file that contains it. */
  readonly isSecret?: true;
  readonly parse: (text: string) => Parsed<Value>;
};

/** A setting without a default is undefined unless it is set. */
export type Config = { readonly [Name in keyof typeof SETTINGS]: ValueOf<(typeof SETTINGS)[Name]> } & {
  readonly sources: Readonly<Record<string, SettingSource>>;
};

type SettingSource = 'default' | 'environment' | 'file';

type ValueOf<Row extends Setting> =
  | (Row extends Setting<infer Value> ? Value : never)
  | (Row extends { readonly default: string } | { readonly byMode: object } ? never : undefined);

const LOG_LEVELS = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'] as const;

type Parse<Value> = (text: string) => Parsed<Value>;

function textThat(isValid: (text: string) => boolean, error: string): Parse<string> {
  return (text) => (isValid(text) ? { value: text } : { error });
}

function numberLike(form: RegExp, kind: string) {
  return (min: number, max: number): Parse<number> =>
    (text) =>
      form.test(text) && Number(text) >= min && Number(text) <= max
        ? { value: Number(text) }
        : { error: `must be ${kind} from ${min} to ${max}` };
}

function choice<const Choice extends string>(values: readonly Choice[]): Parse<Choice> {
  return (text) => {
    const value = values.find((one) => one === text);
    return value === undefined ? { error: `must be one of ${values.join(', ')}` } : { value };
  };
}

function url(...protocols: string[]): Parse<string> {
  const error = `must be a URL that starts with ${protocols.map((protocol) => `${protocol}//`).join(' or ')}`;
  return (text) =>
    protocols.includes(URL.parse(text)?.protocol ?? '') ? { value: text.replace(/\/+$/, '') } : { error };
}

const text = textThat((value) => value.trim() !== '', 'must not be empty');
const wholeNumber = numberLike(/^\d{1,12}$/, 'a whole number');
const decimal = numberLike(/^\d{1,9}(\.\d{1,9})?$/, 'a number');
const webUrl = url('http:', 'https:');

const amount = textThat(
  (value) => parseMinor(value) !== undefined,
  'must be an amount in EUR such as 200.00, with at most 2 decimals',
);

function flag(value: string): Parsed<boolean> {
  const isFlag = value === 'true' || value === 'false';
  return isFlag ? { value: value === 'true' } : { error: 'must be true or false' };
}

const host = textThat(
  (value) => isIP(value) !== 0 || /^[A-Za-z0-9.-]+$/.test(value),
  'must be an IP address or a host name',
);

function listenAddress(value: string): Parsed<{ readonly host: string; readonly port: number }> {
  const [, address = '127.0.0.1', digits = ''] = /^(?:(.+):)?(\d{1,5})$/.exec(value) ?? [];
  const [name, port] = [host(address.replace(/^\[(.*)\]$/, '$1')), wholeNumber(0, 65535)(digits)];
  return 'error' in name || 'error' in port
    ? { error: 'must be a port from 0 to 65535, or an address and a port such as 10.0.0.5:9464' }
    : { value: { host: name.value, port: port.value } };
}

function addresses(value: string): Parsed<readonly string[]> {
  const list = value.split(',').map((text) => text.trim());
  return parseAddressSet(list).ok
    ? { value: list }
    : { error: 'must be comma-separated addresses or ranges, such as 10.0.0.5,10.1.0.0/16' };
}

/** Paths are appended: credentials, a query or a fragment would be lost or misplaced. */
function baseUrl(value: string): Parsed<string> {
  const isPlain = !/[?#]|^[a-z]+:[\\/]*[^\\/]*@/i.test(value);
  return isPlain
    ? webUrl(value)
    : { error: 'must be a URL without credentials, query or fragment, such as https://pay.example/keyport' };
}

/** The issuer is compared as text, so a trailing slash stays. */
function issuer(value: string): Parsed<string> {
  const parsed = baseUrl(value);
  return 'error' in parsed ? parsed : { value };
}

const smtpUrl = textThat((value) => {
  const parsed = URL.parse(value);
  return (
    /^smtps?:$/.test(parsed?.protocol ?? '') &&
    parsed?.hostname !== '' &&
    /^\/?$/.test(`${parsed?.pathname}${parsed?.search}${parsed?.hash}`) &&
    !/%(?![0-9a-f]{2})/i.test(value)
  );
}, `must be smtp:// or smtps:// with a host, such as smtp://user:password@mail.example:587. ${ENCODING}`);

const mailAddress = textThat(
  (value) =>
    /^(?:[^\s@<>"(),;:\\]+@[^\s@<>"(),;:\\]+|[^@<>"(),;:\\\x00-\x1f]+ <[^\s@<>"(),;:\\]+@[^\s@<>"(),;:\\]+>)$/.test(
      value,
    ),
  'must be an email address such as keyport@marketplace.example or Keyport <keyport@marketplace.example>',
);

const stripeKey = textThat(
  (value) => /^(sk|rk)_(test|live)_[A-Za-z0-9_]{16,}$/.test(value),
  'must be a secret or restricted Stripe key, which begins with sk_ or rk_',
);

/** Operators choose this secret, so length alone does not make it strong. */
const sharedSecret = textThat(
  (value) => /^[\x21-\x7e]{32,200}$/.test(value) && new Set(value).size >= 12,
  'must have 32 to 200 random printable ASCII characters without blanks (openssl rand -hex 32)',
);

/** A double click selects the whole id, and no id looks like a command-line option. */
const clientId = textThat(
  (value) => /^(?![_-])[A-Za-z0-9_-]{1,64}(?<![_-])$/.test(value),
  'must have 1 to 64 letters, digits, hyphens or underscores, with a letter or digit at both ends',
);

const keyId = textThat(
  (value) => /^[A-Za-z0-9_-]{1,64}$/.test(value),
  'must have 1 to 64 letters, digits, hyphens or underscores',
);

const secret = textThat(
  (value) => /^[\x21-\x7e]{16,200}$/.test(value),
  'must have 16 to 200 printable ASCII characters without blanks',
);

function optional<Value>(description: string, parse: Parse<Value>) {
  return { description, parse };
}

function secretly<Value>(description: string, parse: Parse<Value>) {
  return { description, parse, isSecret: true } as const;
}

function withDefault<Value>(defaultText: string, description: string, parse: Parse<Value>) {
  return { default: defaultText, description, parse };
}

function byMode<Value>(
  values: Readonly<Record<Mode, NoInfer<Value>>>,
  description: string,
  parse: Parse<Value>,
) {
  return { byMode: values, description, parse };
}

const SETTINGS = {
  host: withDefault('127.0.0.1', 'address to listen on', host),
  port: withDefault('8080', 'port to listen on; 0 picks a free one and prints it', wholeNumber(0, 65535)),
  trustedProxies: optional(
    'addresses and ranges of trusted proxies, comma-separated; X-Forwarded-For from them is trusted',
    addresses,
  ),
  mode: withDefault('sandbox', 'sandbox or live', choice(MODES)),
  databaseUrl: secretly('PostgreSQL URL; without it the embedded database is used', parseDatabaseUrl),
  databaseDirectUrl: secretly(
    'required behind a pooler (PgBouncer): the same database without it, for migrations and notifications between nodes',
    parseDatabaseUrl,
  ),
  dataDir: withDefault('.data', "the embedded database's folder; `memory` keeps nothing on disk", text),
  demo: byMode(
    { sandbox: true, live: false },
    'seed an empty database with demo data; true in sandbox mode, rejected in live mode',
    flag,
  ),
  publicUrl: optional(
    'URL that callers use, and the issuer of tokens; host and port by default; required in live mode',
    baseUrl,
  ),
  serviceUrl: {
    variable: 'KEYPORT_URL',
    ...optional(
      'URL of the service for the command line; by default that of `keyport serve` on this machine',
      baseUrl,
    ),
  },
  operatorId: optional('client id of the first operator; generated and printed once', clientId),
  operatorSecret: secretly(
    'secret of the first operator, used only for a new client; generated and printed once',
    secret,
  ),
  demoClientId: optional('client id of the demo reseller; generated and kept in the data folder', clientId),
  demoClientSecret: secretly('secret of the demo reseller; generated and kept in the data folder', secret),
  masterKeyFile: optional(
    'file with 32 bytes in base64 that encrypt keys and secrets; generated in sandbox mode, required in live mode',
    text,
  ),
  tokenTtlSeconds: withDefault('3600', 'lifetime of an access token, seconds', wholeNumber(1, 86_400)),
  idempotencyCooldownMs: withDefault(
    '2000',
    'how long after its first response a repeated Idempotency-Key still gets 409, milliseconds',
    wholeNumber(0, 600_000),
  ),
  keysWindowHours: withDefault(
    '48',
    'how long keys can be read after completion, hours',
    decimal(0, 1_000_000),
  ),
  rateLimitReadsPerSecond: withDefault(
    '0',
    'reads a second per client; 0: no limit',
    wholeNumber(0, 1_000_000),
  ),
  rateLimitOrdersPerSecond: withDefault(
    '0',
    'orders a second per client; 0: no limit',
    wholeNumber(0, 1_000_000),
  ),
  gatewayTimeoutMs: withDefault(
    '10000',
    'how long an order waits for the payment provider, milliseconds',
    wholeNumber(1, 600_000),
  ),
  approvalAbove: optional(
    'refunds of an order, or bookings of an account, that exceed this in 24 hours need a second operator, EUR',
    amount,
  ),
  riskHoldAbove: optional('orders with a higher total are paid and then held for an operator, EUR', amount),
  riskHoldAccountYoungerThanHours: withDefault(
    '0',
    'orders of accounts younger than this are paid and then held, hours; 0: none',
    decimal(0, 1_000_000),
  ),
  riskHoldOrdersPerHour: withDefault(
    '0',
    'orders of an account beyond this many in one clock hour are paid and then held; 0: none',
    wholeNumber(0, 1_000_000),
  ),
  gateway: byMode(
    { sandbox: 'simulator', live: 'none' },
    'payment provider: simulator (default in sandbox mode), stripe, http or none (default in live mode)',
    choice(GATEWAYS),
  ),
  gatewayConcurrency: withDefault(
    '64',
    'concurrent charges at the payment provider; four times as many may wait',
    wholeNumber(1, 1000),
  ),
  gatewayUrl: optional(
    'base URL of the provider with KEYPORT_GATEWAY=http; with stripe, of a proxy before https://api.stripe.com; https in live mode',
    baseUrl,
  ),
  gatewayKeyId: optional('id of the secret, sent to that provider with each request', keyId),
  gatewaySecret: secretly('signs requests to that provider and its responses', sharedSecret),
  stripeSecretKey: secretly(
    'secret or restricted key with KEYPORT_GATEWAY=stripe; a test key in sandbox mode, else a live key',
    stripeKey,
  ),
  oidcIssuer: optional(
    'OpenID Connect provider for operators; its callback is /console/session/oidc/callback; https in live mode',
    issuer,
  ),
  oidcClientId: optional('client id of this service at that provider', text),
  oidcClientSecret: secretly('client secret of this service at that provider', text),
  oidcRoleClaim: optional(
    'claim that contains the role (a string or a list), read at each sign-in; new operators then need no invitation',
    text,
  ),
  localSignIn: withDefault(
    'true',
    'false: operators sign in at the OpenID Connect provider only, without passwords or passkeys',
    flag,
  ),
  smtpUrl: secretly(
    'mail server such as smtp://user:password@mail.example:587 (with STARTTLS in live mode) or smtps://…; without it no mail is sent',
    smtpUrl,
  ),
  mailFrom: optional(
    'sender of mail, such as Keyport <keyport@marketplace.example>; required with KEYPORT_SMTP_URL',
    mailAddress,
  ),
  topUpNote: optional(
    'how a reseller tops up the balance, as the portal shows it: the bank account, the reference to write, whom to ask',
    text,
  ),
  lowStockUnits: withDefault(
    '10',
    'offers with at most this many units are low on stock; operators are notified of recently sold ones; 0: sold-out ones only',
    wholeNumber(0, 1_000_000),
  ),
  verifyIntervalSeconds: withDefault(
    '60',
    'interval between checks of the invariants (PostgreSQL only; longer for large databases), seconds; 0: never',
    wholeNumber(0, 86_400),
  ),
  metricsPort: optional(
    'separate port for /metrics at 127.0.0.1, or an address that resellers can not reach and the port, such as 10.0.0.5:9464',
    listenAddress,
  ),
  stopDelayMs: byMode(
    { sandbox: 0, live: 5000 },
    'how long a stopping node still serves requests but is not ready, milliseconds; sandbox mode 0, live mode 5000',
    wholeNumber(0, 600_000),
  ),
  otlpUrl: optional(
    'base URL of an OpenTelemetry collector (OTLP over HTTP), such as http://127.0.0.1:4318',
    baseUrl,
  ),
  traceRatio: withDefault(
    '1',
    'share of requests without a traceparent that are traced, 0 to 1',
    decimal(0, 1),
  ),
  logLevel: withDefault('info', LOG_LEVELS.join(', '), choice(LOG_LEVELS)),
} as const satisfies Readonly<Record<string, Setting>>;

type NamedSetting = Setting & { readonly name: string; readonly variable: string };

const ROWS: readonly NamedSetting[] = Object.entries<Setting>(SETTINGS).map(([name, setting]) => ({
  name,
  variable: toVariable(name),
  ...setting,
}));

function toVariable(name: string): string {
  return `KEYPORT_${name.replace(/[A-Z]/g, '_$&').toUpperCase()}`;
}

export class ConfigError extends Error {
  constructor(problems: readonly string[]) {
    super(`The configuration is not valid:\n${problems.map((problem) => `  ${problem}`).join('\n')}`);
    this.name = 'ConfigError';
  }
}

type Environment = Readonly<Record<string, string | undefined>>;

/** Throws ConfigError, which names every wrong variable and what it accepts. */
export function parseConfig(given: Environment = process.env): Config {
  const environment = withoutServiceLinks(given);
  const problems: string[] = [];
  const rejected = new Set<string>();
  const values: Record<string, unknown> = {};
  const sources: Record<string, SettingSource> = {};
  for (const setting of ROWS) {
    const read = readSetting(setting, environment);
    sources[setting.variable] = toSource(read);
    const raw = 'error' in read ? undefined : (read.text ?? setting.default);
    const parsed = 'error' in read ? read : raw === undefined ? { value: raw } : setting.parse(raw);
    if ('error' in parsed) {
      problems.push(`${setting.variable}${read.from} ${parsed.error}.`);
      rejected.add(setting.variable);
    } else values[setting.name] = parsed.value;
  }
  for (const variable of Object.keys(environment)) {
    const name = trimInvisible(variable);
    if (!name.startsWith('KEYPORT_') || isKnownVariable(variable)) continue;
    const character = findInvisible(variable);
    problems.push(
      character === undefined
        ? `${name} is not a setting; \`keyport config\` lists them.`
        : `The name of the variable ${name} contains ${character}, which cannot be seen: remove it.`,
    );
  }
  const mode = values['mode'] === 'sandbox' ? 'sandbox' : 'live';
  for (const { name, byMode } of ROWS) values[name] ??= byMode?.[mode];
  const config = { ...values, sources } as Config;
  if (config.databaseDirectUrl !== undefined && sources['KEYPORT_DATABASE_URL'] === 'default') {
    problems.push('KEYPORT_DATABASE_DIRECT_URL needs KEYPORT_DATABASE_URL, the address of the pooler.');
  }
  // Rejected values are undefined here and would look missing.
  if (config.mode === 'live') {
    problems.push(...liveProblems(config).filter((line) => !rejected.has(line.split(' ', 1)[0] ?? '')));
  }
  if (problems.length === 0)
    problems.push(...gatewayProblems(config), ...oidcProblems(config), ...mailProblems(config));
  if (problems.length > 0) throw new ConfigError(problems);
  return Object.freeze(config);
}

/**
 * Kubernetes sets variables for each Service in the namespace, and those of a Service `keyport` or `keyport-…` have our
 * prefix. KEYPORT_PORT=tcp://10.96.0.12:8080 is one of them. Links of Docker containers add names and variables.
 */
const LINK = /^(?:tcp|udp|sctp):\/\/\S+:\d+$/;
const NUMBER = /^\d+$/;
const SERVICE_LINKS: readonly (readonly [name: RegExp, hasForm: (value: string) => boolean])[] = [
  [/_PORT(?:_\d+_(?:TCP|UDP|SCTP))?$/, (value) => LINK.test(value)],
  [/_SERVICE_PORT(?:_[A-Z0-9_]+)?$/, (value) => NUMBER.test(value)],
  [/_PORT_\d+_(?:TCP|UDP|SCTP)_PORT$/, (value) => NUMBER.test(value)],
  [/_PORT_\d+_(?:TCP|UDP|SCTP)_PROTO$/, (value) => /^(?:tcp|udp|sctp)$/.test(value)],
  [/_NAME$/, (value) => /^\/[^/\s]+\/[^/\s]+$/.test(value)],
  [/_ENV_/, () => true],
  [/_SERVICE_HOST$|_PORT_\d+_(?:TCP|UDP|SCTP)_ADDR$/, (value) => isIP(value) !== 0],
];

function withoutServiceLinks(environment: Environment): Environment {
  const isLink = ([variable, value = '']: [string, string | undefined]) =>
    variable.startsWith('KEYPORT_') &&
    SERVICE_LINKS.some(([name, hasForm]) => name.test(variable) && hasForm(value));
  return Object.fromEntries(Object.entries(environment).filter((entry) => !isLink(entry)));
}

function readSetting(
  setting: NamedSetting,
  environment: Environment,
): { from: string; text: string | undefined } | { from: string; error: string } {
  const text = visibleValue(environment, setting.variable);
  const fileVariable = toFileVariable(setting);
  const file = fileVariable === undefined ? undefined : visibleValue(environment, fileVariable);
  if (file === undefined) return checkVisible('', text);
  if (text !== undefined) return { from: ` and ${fileVariable}`, error: 'are both set: unset one of them' };
  const from = `, from the file ${file} of ${fileVariable},`;
  try {
    const content = trimInvisible(readFileSync(file, 'utf8'));
    return content === '' ? { from, error: 'is empty' } : checkVisible(from, content);
  } catch (error) {
    const reason = error instanceof Error && 'code' in error ? String(error.code) : String(error);
    return { from, error: `cannot be read (${reason})` };
  }
}

function visibleValue(environment: Environment, variable: string): string | undefined {
  return trimInvisible(environment[variable] ?? '') || undefined;
}

function checkVisible(from: string, text: string | undefined) {
  const character = findInvisible(text ?? '');
  if (character === undefined) return { from, text };
  return { from, error: `contains ${character}, which cannot be seen: remove it` };
}

function toSource(read: ReturnType<typeof readSetting>): SettingSource {
  if (read.from !== '') return 'file';
  return 'text' in read && read.text !== undefined ? 'environment' : 'default';
}

function toFileVariable({ variable, isSecret }: NamedSetting): string | undefined {
  return isSecret === true ? `${variable}_FILE` : undefined;
}

function isKnownVariable(variable: string): boolean {
  return (
    variable.startsWith('KEYPORT_TEST_') ||
    ROWS.some((setting) => setting.variable === variable || toFileVariable(setting) === variable)
  );
}

function findProblems(...rows: readonly (readonly [isProblem: boolean, message: string])[]): string[] {
  return rows.flatMap(([isProblem, message]) => (isProblem ? [message] : []));
}

function liveProblems(config: Config): string[] {
  const { databaseUrl, masterKeyFile, publicUrl, trustedProxies, operatorSecret, demo } = config;
  const judged = operatorSecret === undefined ? undefined : sharedSecret(operatorSecret);
  const weakness = judged !== undefined && 'error' in judged ? judged.error : undefined;
  return findProblems(
    [
      databaseUrl === undefined,
      'KEYPORT_DATABASE_URL must name a PostgreSQL server in live mode: ' +
        'the embedded database does not survive a power cut.',
    ],
    [
      masterKeyFile === undefined,
      'KEYPORT_MASTER_KEY_FILE must name a file with 32 bytes in base64 in live mode ' +
        '(openssl rand -base64 32).',
    ],
    [publicUrl === undefined, 'KEYPORT_PUBLIC_URL must be set in live mode: it is the issuer of the tokens.'],
    [
      publicUrl?.startsWith('http:') === true && trustedProxies === undefined,
      'KEYPORT_PUBLIC_URL must start with https:// in live mode, because secrets and keys are sent over it. ' +
        'Within a private network, name the proxy in KEYPORT_TRUSTED_PROXIES, and http:// is accepted.',
    ],
    [weakness !== undefined, `KEYPORT_OPERATOR_SECRET ${weakness} in live mode.`],
    [demo, 'KEYPORT_DEMO must not be true in live mode: anyone can read the secret of the demo reseller.'],
  );
}

const PROVIDER_SETTINGS = {
  stripe: ['stripeSecretKey'],
  http: ['gatewayUrl', 'gatewayKeyId', 'gatewaySecret'],
} as const satisfies Partial<Record<GatewayChoice, readonly (keyof Config)[]>>;

/** Reports incomplete provider settings, real charges in the sandbox and uncharged orders in live mode. */
function gatewayProblems(config: Config): string[] {
  const { mode, gateway, gatewayUrl } = config;
  const isLive = mode === 'live';
  const settings = Object.entries(PROVIDER_SETTINGS).flatMap(([choice, names]) =>
    names.map((name) => ({ choice, variable: toVariable(name), isSet: config[name] !== undefined })),
  );
  const stripeMode = config.stripeSecretKey?.split('_')[1];
  const keyMode = isLive ? 'live' : 'test';
  return [
    ...settings.flatMap(({ choice, variable, isSet }) =>
      findProblems(
        [choice === gateway && !isSet, `${variable} must be set with KEYPORT_GATEWAY=${gateway}.`],
        [
          choice !== gateway && isSet && !(gateway === 'stripe' && variable === 'KEYPORT_GATEWAY_URL'),
          `${variable} is for KEYPORT_GATEWAY=${choice}, but KEYPORT_GATEWAY is ${gateway}: change one or unset the other.`,
        ],
      ),
    ),
    ...findProblems(
      [
        isLive && gateway === 'simulator',
        'KEYPORT_GATEWAY must be stripe, http or none in live mode: ' +
          'the simulator delivers without charging anyone.',
      ],
      [
        gateway === 'stripe' && gatewayUrl !== undefined && URL.parse(gatewayUrl)?.pathname !== '/',
        'KEYPORT_GATEWAY_URL must be a URL without a path with KEYPORT_GATEWAY=stripe, such as https://api.stripe.com.',
      ],
      [
        isLive && gatewayUrl?.startsWith('https://') === false,
        'KEYPORT_GATEWAY_URL must start with https:// in live mode.',
      ],
      [
        gateway === 'stripe' && stripeMode !== undefined && stripeMode !== keyMode,
        `KEYPORT_STRIPE_SECRET_KEY must be a ${keyMode} key in ${mode} mode, not a ${stripeMode} key.`,
      ],
    ),
  ];
}

/** Reports incomplete single sign-on settings and an insecure connection to the provider. */
function oidcProblems(config: Config): string[] {
  const { mode, oidcIssuer, oidcClientId, oidcClientSecret, oidcRoleClaim, localSignIn } = config;
  const required = [oidcIssuer, oidcClientId, oidcClientSecret];
  const isIncomplete = required.includes(undefined);
  const isUsed = [...required, oidcRoleClaim].some((value) => value !== undefined);
  return findProblems(
    [
      !localSignIn && isIncomplete,
      'KEYPORT_LOCAL_SIGN_IN must be true without OpenID Connect, or no operator could sign in. Set ' +
        'KEYPORT_OIDC_ISSUER, KEYPORT_OIDC_CLIENT_ID and KEYPORT_OIDC_CLIENT_SECRET to use false.',
    ],
    [
      localSignIn && isUsed && isIncomplete,
      'KEYPORT_OIDC_ISSUER, KEYPORT_OIDC_CLIENT_ID and KEYPORT_OIDC_CLIENT_SECRET must be set together.',
    ],
    [
      mode === 'live' && !isIncomplete && oidcIssuer?.startsWith('https://') === false,
      'KEYPORT_OIDC_ISSUER must start with https:// in live mode.',
    ],
  );
}

function mailProblems({ smtpUrl, mailFrom }: Config): string[] {
  return findProblems(
    [
      smtpUrl !== undefined && mailFrom === undefined,
      'KEYPORT_MAIL_FROM must be set with KEYPORT_SMTP_URL: mail needs a sender.',
    ],
    [
      smtpUrl === undefined && mailFrom !== undefined,
      'KEYPORT_MAIL_FROM is for KEYPORT_SMTP_URL, which is not set: set both or neither.',
    ],
  );
}

export type SettingDescription = {
  readonly variable: string;
  readonly fileVariable: string | undefined;
  readonly default: string | undefined;
  readonly description: string;
  readonly source: SettingSource;
  readonly isSecret: boolean;
  readonly value: string | undefined;
};

export function describeConfig(config: Config): SettingDescription[] {
  return ROWS.map((setting) => {
    const { variable, isSecret = false, description } = setting;
    const value = config[setting.name as keyof Config];
    const fileVariable = toFileVariable(setting);
    const inFile = fileVariable === undefined ? '' : `; or name a file that contains it in ${fileVariable}`;
    return {
      variable,
      fileVariable,
      default: setting.default,
      description: description + inFile,
      source: must(config.sources[variable], 'every setting has a source'),
      isSecret,
      value: value === undefined ? undefined : isSecret ? '(set)' : String(value),
    };
  });
}

/** Wildcard addresses become the loopback address. */
export function localUrl(host: string, port: number): string {
  if (host === '0.0.0.0' || host === '::') return `http://127.0.0.1:${port}`;
  // URLs enclose IPv6 addresses in brackets.
  return host.includes(':') ? `http://[${host}]:${port}` : `http://${host}:${port}`;
}
