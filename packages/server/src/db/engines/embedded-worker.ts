/** Serves PGlite over a message port that carries PostgreSQL protocol bytes. */
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { cp, readFile, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { inspect } from 'node:util';
import { type MessagePort, parentPort, workerData } from 'node:worker_threads';
import { PGlite } from '@electric-sql/pglite';
import type { EngineReply, EngineRequest, EngineSettings } from './embedded.ts';

/** The status of an SQL error, which PGlite handles; any other exception is a crash. */
const SQL_ERROR_STATUS = 100;
/** The default of 128 MB stays in the engine's memory forever. */
const OPTIONS = { startParams: [...PGlite.defaultStartParams, '-c', 'shared_buffers=32MB'] };
/** Limits the number of messages for small results and the memory for large ones. */
const REPLY_SIZE_BYTES_MAX = 1_048_576;

const port = parentPort;
if (port === null) throw new Error('embedded-worker.ts must run in a worker thread');

const settings: EngineSettings = workerData;
const engine = await openEngine(settings);
exitOnCrash(engine, port);
reply(port, { kind: 'ready' });

const requests: EngineRequest[] = [];
port.on('message', (request: EngineRequest) => requests.push(request));
let session = 0;
let isOpen = true;
while (isOpen) {
  const request = requests.shift();
  if (request === undefined) await once(port, 'message');
  else isOpen = await serve(request);
}
port.close();

async function serve(request: EngineRequest): Promise<boolean> {
  if (request.kind === 'close') {
    await engine.close();
    return false;
  }
  if (request.kind === 'dump') {
    const dump = await engine.dumpDataDir('none');
    reply(port, { kind: 'dump', bytes: new Uint8Array(await dump.arrayBuffer()) });
    return true;
  }
  if (request.session !== session) {
    session = request.session;
    await resetSession();
  }
  await execute(request.bytes);
  return true;
}

/** A vanished client may leave an open transaction, settings and LISTEN channels. */
async function resetSession(): Promise<void> {
  if (engine.isInTransaction()) await engine.exec('ROLLBACK');
  await engine.exec('DISCARD ALL');
}

async function execute(bytes: Uint8Array): Promise<void> {
  let chunks: Uint8Array[] = [];
  let sizeBytes = 0;
  const post = () => {
    const whole = Buffer.concat(chunks, sizeBytes);
    // Copied, because a Buffer may be a view of a shared pool, which cannot be transferred.
    reply(port, { kind: 'bytes', session, bytes: new Uint8Array(whole) });
    chunks = [];
    sizeBytes = 0;
  };
  await engine.execProtocolRawStream(bytes, {
    onRawData: (chunk) => {
      // The engine reuses the chunk's memory.
      chunks.push(chunk.slice());
      sizeBytes += chunk.length;
      if (sizeBytes >= REPLY_SIZE_BYTES_MAX) post();
    },
  });
  if (sizeBytes > 0) post();
}

/** A new folder is renamed when complete, so that a killed process does not leave half a database. */
async function openEngine({ folder, dumpFile, imageFolder }: EngineSettings): Promise<PGlite> {
  const dump = dumpFile === undefined ? {} : { loadDataDir: new Blob([await readFile(dumpFile)]) };
  const source = { ...OPTIONS, ...dump };
  if (folder === undefined) return PGlite.create('memory://', source);
  const path = join(folder, 'database');
  if (!existsSync(join(path, 'PG_VERSION'))) {
    const draft = join(folder, 'database.new');
    await rm(draft, { recursive: true, force: true });
    const isCopied = dumpFile === undefined && imageFolder !== undefined && (await copy(imageFolder, draft));
    if (!isCopied) await (await PGlite.create(draft, source)).close();
    await rename(draft, path);
  }
  return PGlite.create(path, OPTIONS);
}

async function copy(imageFolder: string, to: string): Promise<boolean> {
  try {
    await cp(imageFolder, to, { recursive: true });
    return true;
  } catch {
    await rm(to, { recursive: true, force: true });
    return false;
  }
}

/** After every exception, PGlite passes the same bytes to the engine again; after a trap, this never ends. */
function exitOnCrash({ Module: module }: PGlite, to: MessagePort): void {
  const step = module._PostgresMainLoopOnce;
  module._PostgresMainLoopOnce = () => {
    try {
      step();
    } catch (error) {
      if (isSqlError(error)) throw error;
      reply(to, { kind: 'crashed', reason: error instanceof Error ? String(error) : inspect(error) });
      process.exit(1);
    }
  };
}

function isSqlError(thrown: unknown): boolean {
  return (
    typeof thrown === 'object' && thrown !== null && 'status' in thrown && thrown.status === SQL_ERROR_STATUS
  );
}

function reply(to: MessagePort | null, message: EngineReply): void {
  to?.postMessage(message, 'bytes' in message ? [message.bytes.buffer as ArrayBuffer] : []);
}
