/**
 * Runs PGlite in a worker thread, so that a batch never stalls the event loop. node-postgres drives it like
 * a network socket, so both engines behave the same. It has one session, and survives a killed process but
 * not a power cut (no fsync).
 */
import {
  accessSync,
  closeSync,
  constants,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  readSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join, resolve as resolvePath } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { Duplex } from 'node:stream';
import { Worker } from 'node:worker_threads';

const CLOSE_TIMEOUT_MS = 10_000;

export type EngineSettings = {
  folder: string | undefined;
  /** For a new database. */
  dumpFile?: string | undefined;
  /** For a new database; may be missing. */
  imageFolder?: string | undefined;
};

export type EngineOptions = Omit<EngineSettings, 'folder'> & {
  /** `memory` keeps nothing on disk. */
  dataDir: string;
  /** Called if the engine stops unexpectedly; the process must then be replaced. */
  onFailure: (error: Error) => void;
};

export type EngineRequest =
  | { kind: 'bytes'; session: number; bytes: Uint8Array }
  | { kind: 'dump' }
  | { kind: 'close' };

export type EngineReply =
  | { kind: 'ready' }
  | { kind: 'bytes'; session: number; bytes: Uint8Array }
  | { kind: 'dump'; bytes: Uint8Array }
  | { kind: 'crashed'; reason: string };

class EngineConnectionError extends Error {
  override readonly name = 'EngineConnectionError';
  /** The same code as for a lost network connection. */
  readonly code = 'ECONNRESET';
}

class DataFolderInUseError extends Error {
  override readonly name = 'DataFolderInUseError';
}

class DataFolderError extends Error {
  override readonly name = 'DataFolderError';
  constructor(folder: string, problem: string, cause?: unknown, fact = 'Nothing was changed') {
    super(
      `the data folder ${folder} cannot be used: ${problem}. ${fact}: repair it, restore it from a copy, or choose ` +
        'a different folder with KEYPORT_DATA_DIR',
      { cause },
    );
  }
}

export class DataFolderVersionError extends Error {
  override readonly name = 'DataFolderVersionError';
}

export const ENGINE_VERSION = { postgres: '18', catalogue: 202_506_291 } as const;
/** Byte offset in `pg_control`. */
const CATALOGUE_VERSION_AT = 12;

export type EmbeddedEngine = {
  openSocket(): Duplex;
  dump(): Promise<Uint8Array>;
  close(): Promise<void>;
};

/**
 * Creates the folder (mode 0700) if missing. Throws DataFolderInUseError, DataFolderVersionError or DataFolderError. The thread starts synchronously, so that the caller can work in parallel.
 */
export async function openEmbedded({ dataDir, onFailure, ...start }: EngineOptions): Promise<EmbeddedEngine> {
  const folder = dataDir === 'memory' ? undefined : resolvePath(dataDir);
  const lock = folder === undefined ? undefined : lockFolder(folder);
  try {
    if (folder !== undefined) {
      requireWhole(folder);
      requireOurVersion(folder);
      writeFileSync(join(folder, 'pid'), `${process.pid}\n`);
    }
    const worker = new Worker(new URL('./embedded-worker.ts', import.meta.url), {
      workerData: { folder, ...start } satisfies EngineSettings,
      // This process's flags are not meant for the thread.
      execArgv: [],
    });
    await untilReady(worker).catch((error: unknown) => {
      if (folder === undefined) throw error;
      throw new DataFolderError(
        folder,
        `its database is damaged (${toReason(error)})`,
        error,
        NOTHING_REMOVED,
      );
    });
    return buildEngine({ worker, onFailure, unlock: () => lock?.close() });
  } catch (error) {
    lock?.close();
    if (folder === undefined || !(error instanceof Error && 'syscall' in error)) throw error;
    throw new DataFolderError(folder, toReason(error), error);
  }
}

function toReason(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** The engine itself may have repeated changes of the write-ahead log before it stopped. */
const NOTHING_REMOVED = 'Nothing was removed';
const DATABASE_FILES = ['PG_VERSION', 'global/pg_control'];
const DATABASE_FOLDERS = ['base', 'global', 'pg_wal', 'pg_xact', 'pg_multixact'];
const CONTROL_SIZE_BYTES = 8192;
/** The names of the write-ahead log's files. Their size is in the header of each that is in use. */
const SEGMENT = /^[0-9A-F]{24}$/;
const SEGMENT_SIZE_AT = 32;

/**
 * The engine stops with a stack trace, or makes a new database over the old one, if parts of the folder are missing.
 */
function requireWhole(folder: string): void {
  const database = join(folder, 'database');
  const found = statSync(database, { throwIfNoEntry: false });
  if (found === undefined) return;
  if (!found.isDirectory()) throw new DataFolderError(folder, `${database} is not a folder`);
  if (readdirSync(database).length === 0) return;
  const fail = (problem: string): never => {
    throw new DataFolderError(folder, `its database is damaged: ${problem}`);
  };
  for (const name of DATABASE_FILES)
    if (!statSync(join(database, name), { throwIfNoEntry: false })?.isFile()) fail(`${name} is missing`);
  for (const name of DATABASE_FOLDERS)
    if (!statSync(join(database, name), { throwIfNoEntry: false })?.isDirectory()) fail(`${name} is missing`);
  const computeSize = (name: string) => statSync(join(database, name)).size;
  if (computeSize('PG_VERSION') === 0) fail('PG_VERSION is empty');
  if (computeSize('global/pg_control') !== CONTROL_SIZE_BYTES) fail('global/pg_control was cut');
  const segments = readdirSync(join(database, 'pg_wal')).filter((name) => SEGMENT.test(name));
  if (segments.length === 0) fail('the write-ahead log is missing');
  const sizeBytes = Math.max(0, ...segments.map((name) => readSegmentSize(join(database, 'pg_wal', name))));
  const cut = segments.find((name) => sizeBytes === 0 || computeSize(join('pg_wal', name)) !== sizeBytes);
  if (cut !== undefined) fail(`the file ${cut} of the write-ahead log was cut`);
}

/** 0 in a file that is not in use yet, or was cut. */
function readSegmentSize(file: string): number {
  const bytes = Buffer.alloc(4);
  const descriptor = openSync(file, 'r');
  readSync(descriptor, bytes, 0, bytes.length, SEGMENT_SIZE_AT);
  closeSync(descriptor);
  return bytes.readUInt32LE();
}

function buildEngine(parts: {
  worker: Worker;
  onFailure: (error: Error) => void;
  unlock: () => void;
}): EmbeddedEngine {
  const { worker, onFailure, unlock } = parts;
  let sessionCount = 0;
  let socket: EngineSocket | undefined;
  let failure: EngineConnectionError | undefined;
  let closing: Promise<void> | undefined;
  let onDump: ((bytes: Uint8Array) => void) | undefined;
  let reason = 'its thread ended';

  worker.on('message', (reply: EngineReply) => {
    if (reply.kind === 'bytes') socket?.receive(reply.session, reply.bytes);
    if (reply.kind === 'dump') onDump?.(reply.bytes);
    if (reply.kind === 'crashed') reason = reply.reason;
  });
  worker.on('error', (error) => {
    reason = String(error);
  });
  const ended = new Promise<void>((resolve) => {
    worker.once('exit', () => {
      failure = new EngineConnectionError(`the embedded database has stopped: ${reason}`);
      socket?.destroy(failure);
      unlock();
      if (closing === undefined) onFailure(failure);
      resolve();
    });
  });

  const close = async () => {
    worker.postMessage({ kind: 'close' } satisfies EngineRequest);
    const deadline = setTimeout(() => worker.terminate(), CLOSE_TIMEOUT_MS);
    await ended;
    clearTimeout(deadline);
  };

  return {
    openSocket() {
      sessionCount += 1;
      socket?.destroy(
        new EngineConnectionError('the embedded database has one session, and a newer connection took it'),
      );
      socket = new EngineSocket({ worker, session: sessionCount, rejection: failure });
      return socket;
    },
    dump() {
      return new Promise((resolve, reject) => {
        onDump = resolve;
        worker.once('exit', () => reject(failure));
        worker.postMessage({ kind: 'dump' } satisfies EngineRequest);
      });
    },
    close() {
      closing ??= close();
      return closing;
    },
  };
}

/** Otherwise the engine would exit without a useful message. */
function requireOurVersion(folder: string): void {
  const database = join(folder, 'database');
  const version = readIfPresent(join(database, 'PG_VERSION'))?.toString();
  if (version === undefined) return;
  const control = readIfPresent(join(database, 'global', 'pg_control'));
  const catalogue = control?.readUInt32LE(CATALOGUE_VERSION_AT) ?? ENGINE_VERSION.catalogue;
  if (version.trim() === ENGINE_VERSION.postgres && catalogue === ENGINE_VERSION.catalogue) return;
  throw new DataFolderVersionError(
    `the data folder ${folder} was made with version ${version.trim()} (${catalogue}) of the embedded database, but this version of ` +
      `Keyport has ${ENGINE_VERSION.postgres} (${ENGINE_VERSION.catalogue}). Nothing was changed: start the version of Keyport that made ` +
      'the folder, or choose a different folder with KEYPORT_DATA_DIR',
  );
}

function readIfPresent(path: string): Buffer | undefined {
  try {
    return readFileSync(path);
  } catch {
    return undefined;
  }
}

function untilReady(worker: Worker): Promise<void> {
  return new Promise((resolve, reject) => {
    const onExit = () => reject(new Error('the embedded database stopped during its start'));
    worker.once('error', reject);
    worker.once('exit', onExit);
    worker.once('message', () => {
      worker.off('error', reject);
      worker.off('exit', onExit);
      resolve();
    });
  });
}

type SocketOptions = { worker: Worker; session: number; rejection: Error | undefined };

/** The part of a `net.Socket` that node-postgres uses. */
class EngineSocket extends Duplex {
  readonly #options: SocketOptions;

  constructor(options: SocketOptions) {
    super();
    this.#options = options;
  }

  receive(session: number, bytes: Uint8Array): void {
    if (session === this.#options.session) this.push(bytes);
  }

  connect(): this {
    const { rejection } = this.#options;
    queueMicrotask(() => (rejection === undefined ? this.emit('connect') : this.destroy(rejection)));
    return this;
  }

  setNoDelay(): this {
    return this;
  }

  setKeepAlive(): this {
    return this;
  }

  ref(): this {
    this.#options.worker.ref();
    return this;
  }

  unref(): this {
    this.#options.worker.unref();
    return this;
  }

  override _read(): void {}

  override _write(chunk: Buffer, _encoding: BufferEncoding, done: () => void): void {
    this.#send(chunk);
    done();
  }

  // node-postgres corks the messages of a query up to Sync, so they are sent as one message.
  override _writev(chunks: { chunk: Buffer }[], done: () => void): void {
    this.#send(Buffer.concat(chunks.map(({ chunk }) => chunk)));
    done();
  }

  override _final(done: () => void): void {
    this.push(null);
    done();
  }

  #send(chunk: Buffer): void {
    const { worker, session } = this.#options;
    const bytes = new Uint8Array(chunk);
    worker.postMessage({ kind: 'bytes', session, bytes } satisfies EngineRequest, [bytes.buffer]);
  }
}

/**
 * Node can lock no file itself, so SQLite does. The kernel releases this lock however the process ends, also for another
 * container on the same machine. A file with a process id would need a guess whether that process still runs: containers
 * have the same ids, and the system uses ids again.
 */
function lockFolder(folder: string): DatabaseSync {
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    accessSync(folder, constants.R_OK | constants.W_OK | constants.X_OK);
  } catch (error) {
    throw new DataFolderError(folder, toReason(error), error);
  }
  const file = join(folder, 'lock');
  if (statSync(file, { throwIfNoEntry: false })?.isFile() === false)
    throw new DataFolderError(folder, `${file} is not a file`);
  let lock: DatabaseSync | undefined;
  try {
    lock = new DatabaseSync(file, { timeout: 0 });
    lock.exec('BEGIN EXCLUSIVE');
    return lock;
  } catch (error) {
    lock?.close();
    if (!(error instanceof Error && error.message.includes('locked')))
      throw new DataFolderError(folder, `its file ${file} cannot be locked (${toReason(error)})`, error);
    const pid = readIfPresent(join(folder, 'pid'))?.toString().trim() ?? 'unknown';
    throw new DataFolderInUseError(
      `the data folder ${folder} is in use by process ${pid}; stop it, or choose a different folder`,
      { cause: error },
    );
  }
}
