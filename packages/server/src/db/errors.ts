/** https://www.postgresql.org/docs/18/errcodes-appendix.html */
import { DatabaseError } from 'pg';
import { isConnectFailure } from './connect-failure.ts';
import { UnfitServerError } from './engines/session-settings.ts';

const UNIQUE_VIOLATION = '23505';
const LOCK_NOT_AVAILABLE = '55P03';
const QUERY_CANCELED = '57014';
const READ_ONLY_TRANSACTION = '25006';
const TOO_MANY_CONNECTIONS = '53300';
const OUT_OF_RESOURCES = new Set([
  '53100', // disk_full
  '53200', // out_of_memory
  '58030', // io_error
]);
const PROGRAM_LIMIT_EXCEEDED = '54000';
const IN_FAILED_TRANSACTION = '25P02';

const RETRYABLE = new Set([
  '40001', // serialization_failure
  '40P01', // deadlock_detected
]);

const CONNECTION_LOST = new Set([
  '57P01', // admin_shutdown, also pg_terminate_backend
  '57P02', // crash_shutdown
  '57P03', // cannot_connect_now: starting up, or in recovery
  '57P05', // idle_session_timeout
  '25P03', // idle_in_transaction_session_timeout
  '25P04', // transaction_timeout
]);

// The severity is in the server's language. If it is unknown, errors of these classes may have ended the
// session.
const ENDS_SESSION = new Set(['FATAL', 'PANIC']);
const SERVER_FAILURE = /^$|^(53|54|58|F0|XX)/;

const SOCKET_ERRORS = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'ECONNABORTED',
  'EPROTO',
  'EPIPE',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENETDOWN',
  'ENOTFOUND',
  'EAI_AGAIN',
]);

const CONNECTION_LOST_MESSAGE =
  /^(Connection terminated|timeout expired|Client has encountered a connection error|Client was closed)/;
const POOL_EXHAUSTED_MESSAGE = /^timeout exceeded when trying to connect/;

export function isUniqueViolation(error: unknown, constraint: string): boolean {
  return error instanceof DatabaseError && error.code === UNIQUE_VIOLATION && error.constraint === constraint;
}

export function isRetryable(error: unknown): boolean {
  return RETRYABLE.has(sqlState(error));
}

export function failuresIn(results: readonly PromiseSettledResult<unknown>[]): unknown[] {
  return results.flatMap((result) => (result.status === 'rejected' ? [result.reason] : []));
}

/** The error that aborted a transaction, so that all later statements failed. */
export function firstCause(errors: readonly unknown[]): unknown {
  return errors.find((error) => sqlState(error) !== IN_FAILED_TRANSACTION) ?? errors[0];
}

/** Statements in progress may have taken effect. */
export function isConnectionLost(error: unknown): boolean {
  const state = sqlState(error);
  if (state !== '') return state.startsWith('08') || CONNECTION_LOST.has(state);
  if (!(error instanceof Error)) return false;
  if ('code' in error && typeof error.code === 'string') {
    return SOCKET_ERRORS.has(error.code) || isMissingSocketFile(error);
  }
  return CONNECTION_LOST_MESSAGE.test(error.message);
}

function isMissingSocketFile(error: Error): boolean {
  return 'code' in error && error.code === 'ENOENT' && 'syscall' in error && error.syscall === 'connect';
}

export function isReadOnly(error: unknown): boolean {
  return sqlState(error) === READ_ONLY_TRANSACTION;
}

function isTooManyConnections(error: unknown): boolean {
  return (
    sqlState(error) === TOO_MANY_CONNECTIONS ||
    (error instanceof Error && POOL_EXHAUSTED_MESSAGE.test(error.message))
  );
}

/** The same work may succeed later, such as after a fail-over. */
export function isUnreachable(error: unknown): boolean {
  return (
    isConnectFailure(error) ||
    isConnectionLost(error) ||
    isTooManyConnections(error) ||
    isReadOnly(error) ||
    error instanceof UnfitServerError
  );
}

export function isOutOfTransactionIds(error: unknown): boolean {
  return (
    error instanceof DatabaseError &&
    error.code === PROGRAM_LIMIT_EXCEEDED &&
    (error.routine === 'GetNewTransactionId' || error.routine === 'GetNewMultiXactId')
  );
}

/** The same work may succeed once disk space or memory is free (A511). */
export function isOutOfResources(error: unknown): boolean {
  return OUT_OF_RESOURCES.has(sqlState(error));
}

export function isTimeout(error: unknown): boolean {
  return sqlState(error) === QUERY_CANCELED || isLockTimeout(error);
}

export function isLockTimeout(error: unknown): boolean {
  return sqlState(error) === LOCK_NOT_AVAILABLE;
}

export function isPlainSqlError(error: unknown): boolean {
  if (!(error instanceof DatabaseError) || isConnectionLost(error)) return false;
  if (ENDS_SESSION.has(error.severity ?? '')) return false;
  return error.severity === 'ERROR' || !SERVER_FAILURE.test(error.code ?? '');
}

function sqlState(error: unknown): string {
  return error instanceof DatabaseError ? (error.code ?? '') : '';
}
