/**
 * Every way in which no session of the database can be opened: one sentence that names the cause and the remedy. This
 * module does not load the driver, because every command loads it.
 */
import { REPORTED } from '@keyport/http/logging/reported';

const URL_VARIABLE = 'KEYPORT_DATABASE_URL';
const UNKNOWN_AUTHORITY =
  "the certificate of the database's server comes from an unknown authority. Name the authority's certificate with " +
  `sslrootcert=<file> in ${URL_VARIABLE}, or do without the check with sslmode=no-verify there (or as PGSSLMODE)`;
const SILENT = `Start it, or correct ${URL_VARIABLE}`;
/** The driver reads it if the address says nothing about TLS. */
const MODE = `sslmode in ${URL_VARIABLE} (or the variable PGSSLMODE)`;

/** By SQLSTATE, its class, or the code of Node or OpenSSL. */
const REMEDIES: Readonly<Record<string, string>> = {
  '28P01': `Correct user and password in ${URL_VARIABLE}, and restart the service`,
  '28': `Let the role in (pg_hba.conf, ALTER ROLE … LOGIN), or correct ${URL_VARIABLE}`,
  '3D000': `Create the database, or correct its name in ${URL_VARIABLE}`,
  '55000': 'Allow connections (ALTER DATABASE … ALLOW_CONNECTIONS true)',
  '53300': 'End connections of others, or raise max_connections or the limits of database and role',
  '53': 'Free memory or disk space of its server',
  '57P': 'Wait until it has started',
  '58': 'Check the disk of its server',
  '08': `Check that ${URL_VARIABLE} names a PostgreSQL server`,
};

const CERTIFICATES: Readonly<Record<string, string>> = {
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: UNKNOWN_AUTHORITY,
  UNABLE_TO_GET_ISSUER_CERT: UNKNOWN_AUTHORITY,
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: UNKNOWN_AUTHORITY,
  DEPTH_ZERO_SELF_SIGNED_CERT: UNKNOWN_AUTHORITY,
  SELF_SIGNED_CERT_IN_CHAIN: UNKNOWN_AUTHORITY,
  CERT_HAS_EXPIRED: "the certificate of the database's server has expired. Renew it",
  CERT_NOT_YET_VALID:
    "the certificate of the database's server is not valid yet. Check the clocks of both machines",
};

type Facts = { readonly code: string; readonly message: string; readonly isServers: boolean };

function toFacts(error: unknown): Facts {
  const { code, severity, message } = {
    code: '',
    severity: undefined,
    message: String(error),
    ...asRecord(error),
  };
  return { code: String(code ?? ''), message: String(message), isServers: severity !== undefined };
}

function asRecord(error: unknown): Record<string, unknown> {
  return error instanceof Error ? { ...error, message: error.message } : {};
}

export function describeConnectFailure(error: unknown): string {
  const { code, message, isServers } = toFacts(error);
  if (isServers) {
    const remedy = [code, code.slice(0, 3), code.slice(0, 2)].map((key) => REMEDIES[key]).find(Boolean);
    const rejects = `the database rejects the connection: ${message}`;
    return remedy === undefined ? rejects : `${rejects}. ${remedy}`;
  }
  const certificate = CERTIFICATES[code];
  if (certificate !== undefined) return certificate;
  if (code === 'ERR_TLS_CERT_ALTNAME_INVALID') {
    return `the certificate of the database's server is for another name (${message}). Use that name in ${URL_VARIABLE}`;
  }
  if (code === 'ERR_OSSL_X509_KEY_VALUES_MISMATCH') {
    return `the private key for the database does not belong to its certificate. Correct sslcert or sslkey in ${URL_VARIABLE}`;
  }
  if (/^(?:ERR_SSL|ERR_OSSL|ERR_TLS|CERT_|EPROTO)/.test(code)) {
    return `the TLS connection to the database failed (${code}: ${message}). Check the certificates and ${MODE}`;
  }
  if (code !== '') return `the database does not respond (${code}). ${SILENT}`;
  if (/does not support SSL/.test(message)) {
    return `the database's server does not offer TLS. Turn ssl on there, or use disable as ${MODE}`;
  }
  if (/password must be a (?:non-empty )?string/.test(message)) {
    return `the database requires a password, and ${URL_VARIABLE} has none`;
  }
  if (/time(?:out|d out)|terminated|closed/i.test(message)) {
    return `the database does not respond (${message}). ${SILENT}`;
  }
  return `the database cannot be reached: ${message}`;
}

/** True for errors with which no session could be opened, whatever the error is. */
export function isConnectFailure(error: unknown): boolean {
  return error instanceof Error && REPORTED in error;
}

/** A cause that comes and goes is logged at most this often. */
const SAME_CAUSE_EVERY_MS = 5_000;

/** Logs an outage once, although hundreds of requests and every worker notice it. */
export class Outage {
  readonly #report: (sentence: string) => void;
  #cause: string | undefined;
  #last = { cause: '', atMs: -Infinity };

  constructor(report: (sentence: string) => void = () => {}) {
    this.#report = report;
  }

  /** False from a failed attempt to get a session until the next one that succeeds. */
  get isOver(): boolean {
    return this.#cause === undefined;
  }

  /** Marks the error of a caller that waited in vain because of this outage. */
  mark(error: Error): Error {
    if (!this.isOver) Object.defineProperty(error, REPORTED, { value: true });
    return error;
  }

  begin(error: unknown): void {
    if (error instanceof Error) Object.defineProperty(error, REPORTED, { value: true });
    const cause = describeConnectFailure(error);
    if (cause === this.#cause) return;
    this.#cause = cause;
    const nowMs = performance.now();
    if (cause === this.#last.cause && nowMs - this.#last.atMs < SAME_CAUSE_EVERY_MS) return;
    this.#last = { cause, atMs: nowMs };
    this.#report(cause);
  }

  end(): void {
    this.#cause = undefined;
  }
}
