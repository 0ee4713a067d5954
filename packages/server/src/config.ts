/**
 * Every setting: one table yields the parsed, frozen configuration, the text of `keyport config` and the table in the
 * README. Nothing else reads the environment. Decisions section 8.
 */
import { isIP } from 'node:net';
import { parseMinor } from '@keyport/core/money';

export type Mode = 'sandbox' | 'live';

export type Config = {
  readonly host: string;
  readonly port: number;
  readonly mode: Mode;
  readonly databaseUrl: string | undefined;
  /** A folder, or `memory`. */
  readonly dataDir: string;
  readonly demo: boolean;
  /** Undefined: made from host and port once the port is known. */
  readonly publicUrl: string | undefined;
  readonly operatorId: string | undefined;
  readonly operatorSecret: string | undefined;
  readonly demoClientId: string | undefined;
  readonly demoClientSecret: string | undefined;
  readonly masterKeyFile: string | undefined;
  readonly tokenTtlSeconds: number;
  readonly idempotencyCooldownMs: number;
  readonly keysWindowHours: number;
  /** 0: no limit. */
  readonly rateLimitReadsPerSecond: number;
  readonly rateLimitOrdersPerSecond: number;
  readonly gatewayTimeoutMs: number;
  /** EUR; undefined: no such rule. */
  readonly riskHoldAbove: string | undefined;
  /** 0: no such rule, here and below. */
  readonly riskHoldAccountYoungerThanHours: number;
  readonly riskHoldOrdersPerHour: number;
  readonly logLevel: string;
};

type Setting = {
  readonly variable: string;
  readonly default: string | undefined;
  readonly description: string;
  /** Left out of what is printed. */
  readonly isSecret?: true;
  /** The value, or an error message that completes "<variable> …". */
  readonly parse: (text: string) => { value: unknown } | { error: string };
};

const LOG_LEVELS = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'];

function text(value: string) {
  return value.trim() === '' ? { error: 'must not be empty' } : { value };
}

function choice(...values: string[]) {
  return (value: string) =>
    values.includes(value) ? { value } : { error: `must be one of ${values.join(', ')}` };
}

function wholeNumber(min: number, max: number) {
  return (value: string) =>
    /^\d{1,12}$/.test(value) && Number(value) >= min && Number(value) <= max
      ? { value: Number(value) }
      : { error: `must be a whole number from ${min} to ${max}` };
}

function decimal(min: number, max: number) {
  return (value: string) =>
    /^\d{1,9}(\.\d{1,9})?$/.test(value) && Number(value) >= min && Number(value) <= max
      ? { value: Number(value) }
      : { error: `must be a number from ${min} to ${max}` };
}

function amount(value: string) {
  return parseMinor(value) === undefined
    ? { error: 'must be an amount in EUR such as 200.00, with at most 2 decimals' }
    : { value };
}

function flag(value: string) {
  return value === 'true' || value === 'false'
    ? { value: value === 'true' }
    : { error: 'must be true or false' };
}

function host(value: string) {
  return isIP(value) !== 0 || /^[A-Za-z0-9.-]+$/.test(value)
    ? { value }
    : { error: 'must be an IP address or a host name' };
}

function url(...protocols: string[]) {
  return (value: string) => {
    const parsed = URL.parse(value);
    return parsed !== null && protocols.includes(parsed.protocol)
      ? { value: value.replace(/\/+$/, '') }
      : {
          error: `must be a URL that starts with ${protocols.map((protocol) => `${protocol}//`).join(' or ')}`,
        };
  };
}

function clientId(value: string) {
  return /^[A-Za-z0-9_-]{1,64}$/.test(value)
    ? { value }
    : { error: 'must have 1 to 64 letters, digits, hyphens or underscores' };
}

function secret(value: string) {
  return value.length >= 16 && value.length <= 200 && /^[\x21-\x7e]+$/.test(value)
    ? { value }
    : { error: 'must have 16 to 200 printable ASCII characters without blanks' };
}

const SETTINGS: Readonly<Record<keyof Config, Setting>> = {
  host: { variable: 'KEYPORT_HOST', default: '127.0.0.1', description: 'address to listen on', parse: host },
  port: {
    variable: 'KEYPORT_PORT',
    default: '8080',
    description: 'port to listen on; 0 picks a free one and prints it',
    parse: wholeNumber(0, 65535),
  },
  mode: {
    variable: 'KEYPORT_MODE',
    default: 'sandbox',
    description: 'sandbox or live',
    parse: choice('sandbox', 'live'),
  },
  databaseUrl: {
    variable: 'KEYPORT_DATABASE_URL',
    default: undefined,
    description: 'PostgreSQL URL; without it the embedded database is used',
    isSecret: true,
    parse: url('postgres:', 'postgresql:'),
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
    description:
      'seed the demo catalogue and reseller on an empty database; true in sandbox mode, false in live mode',
    parse: flag,
  },
  publicUrl: {
    variable: 'KEYPORT_PUBLIC_URL',
    default: undefined,
    description:
      'URL that callers use, the issuer of tokens and the base of doc_url; made from host and port',
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
    description: 'its secret; generated and printed once',
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
      'orders of an account beyond so many in one hour of the clock are paid and then held; 0: none',
    parse: wholeNumber(0, 1_000_000),
  },
  logLevel: {
    variable: 'KEYPORT_LOG_LEVEL',
    default: 'info',
    description: LOG_LEVELS.join(', '),
    parse: choice(...LOG_LEVELS),
  },
};

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
  for (const [name, setting] of Object.entries(SETTINGS)) {
    const given = environment[setting.variable];
    const raw = given === undefined || given === '' ? setting.default : given;
    if (raw === undefined) {
      values[name] = undefined;
      continue;
    }
    const parsed = setting.parse(raw);
    if ('error' in parsed) problems.push(`${setting.variable} ${parsed.error}.`);
    else values[name] = parsed.value;
  }
  for (const variable of Object.keys(environment)) {
    if (variable.startsWith('KEYPORT_') && !isKnownVariable(variable)) {
      problems.push(`${variable} is not a setting; \`keyport config\` lists them.`);
    }
  }
  values['demo'] ??= values['mode'] === 'sandbox';
  const config = values as Config;
  if (config.mode === 'live') problems.push(...liveProblems(config));
  if (problems.length > 0) throw new ConfigError(problems);
  return Object.freeze(config);
}

/** Variables of the tests and the command line share the prefix but are not settings of the service. */
function isKnownVariable(variable: string): boolean {
  return (
    variable.startsWith('KEYPORT_TEST_') ||
    variable === 'KEYPORT_URL' ||
    Object.values(SETTINGS).some((setting) => setting.variable === variable)
  );
}

/** What live mode refuses (decisions section 8). */
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
  return problems;
}

export type SettingDescription = {
  readonly variable: string;
  readonly default: string | undefined;
  readonly description: string;
  /** What is in force; secrets as `(set)`. */
  readonly value: string | undefined;
};

/** Every setting with its meaning and what is in force, for `keyport config` and the README. */
export function describeConfig(config: Config): SettingDescription[] {
  return Object.entries(SETTINGS).map(([name, setting]) => {
    const value = config[name as keyof Config];
    const shown = value === undefined ? undefined : setting.isSecret === true ? '(set)' : String(value);
    return {
      variable: setting.variable,
      default: setting.default,
      description: setting.description,
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
