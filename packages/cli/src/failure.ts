// biome-ignore lint/performance/noBarrelFile: the other messages of failed commands are here
export { CommandFailure } from '@keyport/sdk-source/commands/failure';

import { describeConnectFailure, isConnectFailure } from '@keyport/server/db/connect-failure';

/** Listed by name, since importing the classes loads database drivers. */
const EXPLAINED = new Set([
  'CommandFailure',
  'ConfigError',
  'DataFolderError',
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

export function describeFailure(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if (EXPLAINED.has(error.name)) return error.message;
  return (
    describeAddressProblem(error) ??
    describeDatabaseProblem(error) ??
    describeFileProblem(error) ??
    error.stack ??
    error.message
  );
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
  const { code } = { code: undefined, ...error };
  if (isConnectFailure(error)) return describeConnectFailure(error);
  if (code === '25006') {
    return (
      'the database is read-only: set default_transaction_read_only = off for the server, the database ' +
      'and the role, and KEYPORT_DATABASE_URL to the primary'
    );
  }
  if (/^XX00[12]|^58/.test(String(code))) {
    return (
      `the database is damaged (${error.message}). Keyport changed nothing: restore it from a copy, or start with ` +
      'another one (KEYPORT_DATABASE_URL, or KEYPORT_DATA_DIR for the embedded database)'
    );
  }
  return undefined;
}

/** A full or read-only disk, or a file or folder of the wrong kind or owner. */
function describeFileProblem(error: Error): string | undefined {
  const { path, syscall } = { path: undefined, syscall: undefined, ...error };
  if (path === undefined || syscall === undefined) return undefined;
  return (
    `${String(path)} cannot be used (${error.message}). Check its kind, owner and permissions and the disk, or choose a ` +
    'different folder with KEYPORT_DATA_DIR'
  );
}
