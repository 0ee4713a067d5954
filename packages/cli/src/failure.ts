// biome-ignore lint/performance/noBarrelFile: the other messages of failed commands are here
export { CommandFailure } from '@keyport/sdk-source/commands/failure';

/** Listed by name, since importing the classes loads database drivers. */
const EXPLAINED = new Set([
  'CommandFailure',
  'ConfigError',
  'DataFolderInUseError',
  'DataFolderVersionError',
  'HoldersMissKeyError',
  'MasterKeyError',
  'MasterKeyMissingError',
  'MissingSecretError',
  'NoOwnSessionError',
  'NotOpenedError',
  'SchemaIncompleteError',
  'SchemaMismatchError',
  'UnfitServerError',
  'WrongMasterKeyError',
]);

type AddressVariables = { readonly host: string; readonly port: string };

const SERVICE_ADDRESS: AddressVariables = { host: 'KEYPORT_HOST', port: 'KEYPORT_PORT' };

const ADDRESS_PROBLEMS: Readonly<Record<string, (variables: AddressVariables) => string>> = {
  EADDRINUSE: ({ port }) =>
    `is already in use. Stop the process that listens there, or set ${port} to a free port (0 picks one)`,
  EACCES: ({ port }) => `is not allowed for this user. Set ${port} to a port above 1023`,
  EADDRNOTAVAIL: ({ host }) => `does not belong to this machine. Set ${host} to one that does`,
};

const DATABASE_UNREACHABLE = new Set(['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'ETIMEDOUT', 'EHOSTUNREACH']);

export function describeFailure(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if (EXPLAINED.has(error.name)) return error.message;
  return describeAddressProblem(error) ?? describeDatabaseProblem(error) ?? error.stack ?? error.message;
}

export function describeAddressProblem(error: Error, variables = SERVICE_ADDRESS): string | undefined {
  if (!('syscall' in error && 'code' in error) || !['listen', 'bind'].includes(String(error.syscall))) {
    return undefined;
  }
  const problem = ADDRESS_PROBLEMS[String(error.code)]?.(variables);
  if (problem === undefined) return undefined;
  const { address, port } = { address: undefined, port: undefined, ...error };
  return `the address ${String(address)}, port ${String(port)}, ${problem}`;
}

function describeDatabaseProblem(error: Error): string | undefined {
  const { code, severity } = { code: undefined, severity: undefined, ...error };
  if (DATABASE_UNREACHABLE.has(String(code))) {
    return `the database does not respond (${String(code)}). Start it, or correct KEYPORT_DATABASE_URL`;
  }
  if (code === '25006') {
    return (
      'the database is read-only: set default_transaction_read_only = off for the server, the database ' +
      'and the role, and KEYPORT_DATABASE_URL to the primary'
    );
  }
  return severity === 'FATAL' ? `the database rejects the connection: ${error.message}` : undefined;
}
