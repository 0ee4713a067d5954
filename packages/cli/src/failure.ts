/** What a failed command says: a sentence or two with what to do, and a stack only for what nobody foresaw. */

/** A failure whose message is all that people need. */
export class CommandFailure extends Error {
  override readonly name = 'CommandFailure';
}

/**
 * Errors of the service whose messages say what to do. By name: their classes come with the database drivers, which
 * most commands start faster without.
 */
const EXPLAINED = new Set([
  'CommandFailure',
  'ConfigError',
  'DataFolderInUseError',
  'HoldersMissKeyError',
  'MasterKeyError',
  'MasterKeyMissingError',
  'NoOwnSessionError',
  'NotOpenedError',
  'SchemaNewerError',
  'UnfitServerError',
  'WrongMasterKeyError',
]);

const ADDRESS_PROBLEMS: Readonly<Record<string, string>> = {
  EADDRINUSE: 'is taken by another program. Stop that one, or set KEYPORT_PORT to a free port (0 picks one)',
  EACCES: 'may not be used by this user. Set KEYPORT_PORT to a port above 1023',
  EADDRNOTAVAIL: 'does not belong to this machine. Set KEYPORT_HOST to one that does',
};

const DATABASE_UNREACHABLE = new Set(['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'ETIMEDOUT', 'EHOSTUNREACH']);

export function describeFailure(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if (EXPLAINED.has(error.name)) return error.message;
  return describeAddressProblem(error) ?? describeDatabaseProblem(error) ?? error.stack ?? error.message;
}

/** Of a server that cannot listen; for a worker the primary binds. */
function describeAddressProblem(error: Error): string | undefined {
  if (!('syscall' in error && 'code' in error) || !['listen', 'bind'].includes(String(error.syscall))) {
    return undefined;
  }
  const problem = ADDRESS_PROBLEMS[String(error.code)];
  if (problem === undefined) return undefined;
  const { address, port } = { address: undefined, port: undefined, ...error };
  return `the address ${String(address)}, port ${String(port)}, ${problem}`;
}

/** Of a PostgreSQL server that cannot be reached, or lets nobody in. The API client has failures of its own. */
function describeDatabaseProblem(error: Error): string | undefined {
  const { code, severity } = { code: undefined, severity: undefined, ...error };
  if (DATABASE_UNREACHABLE.has(String(code))) {
    return `the database does not answer (${String(code)}). Start it, or correct KEYPORT_DATABASE_URL`;
  }
  return severity === 'FATAL' ? `the database refuses us: ${error.message}` : undefined;
}
