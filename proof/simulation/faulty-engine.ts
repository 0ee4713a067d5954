/**
 * The embedded engine in this process, so that its work always has the same order. The n-th round trip can
 * fail. node-postgres and all code above it are real.
 */
import { Duplex } from 'node:stream';
import { PGlite } from '@electric-sql/pglite';
import type { EmbeddedEngine } from '../../packages/server/src/db/engines/embedded.ts';

export type Fault =
  | { readonly kind: 'error'; readonly sqlState: string }
  | { readonly kind: 'shutdown' }
  /** The engine never sees the statement. */
  | { readonly kind: 'lost-before' }
  /** The engine runs the statement, but the response is lost. */
  | { readonly kind: 'lost-after' }
  /** The process that sent the statement also dies. */
  | { readonly kind: 'crash-before' }
  | { readonly kind: 'crash-after' };

/** A second fault may strike some round trips after the first, while the service deals with that one. */
export type Faults = Fault & { readonly next?: { readonly fault: Fault; readonly after: number } };

type Armed = { readonly fault: Faults; readonly at: number | 'commit' };

const ERROR = 'E'.charCodeAt(0);
const QUERY = 'Q'.charCodeAt(0);
const PARSE = 'P'.charCodeAt(0);
const SYNC = 'S'.charCodeAt(0);
const TERMINATE = 'X'.charCodeAt(0);

export class FaultyEngine implements EmbeddedEngine {
  readonly #engine: PGlite;
  readonly #onCrash: () => void;
  #socket: SimulatedSocket | undefined;
  #armed: Armed | undefined;
  #roundTrips = 0;
  #firedAt: string | undefined;

  private constructor(engine: PGlite, onCrash: () => void) {
    this.#engine = engine;
    this.#onCrash = onCrash;
  }

  static async open(dump: Uint8Array<ArrayBuffer> | undefined, onCrash: () => void): Promise<FaultyEngine> {
    const source = dump === undefined ? {} : { loadDataDir: new Blob([dump]) };
    return new FaultyEngine(await PGlite.create('memory://', source), onCrash);
  }

  /** Makes the `at`-th round trip from now (counted from 1) fail. */
  arm(fault: Faults, at: number): void {
    this.#armed = { fault, at };
    this.#roundTrips = 0;
    this.#firedAt = undefined;
  }

  armCommit(fault: Fault): void {
    this.#armed = { fault, at: 'commit' };
    this.#firedAt = undefined;
  }

  /** Returns the statements that failed since `arm`. */
  disarm(): string | undefined {
    const fired = this.#firedAt;
    this.#armed = undefined;
    this.#firedAt = undefined;
    return fired;
  }

  /** Queries outside the simulated traffic. The engine must be idle. */
  async look<Row>(statement: string, parameters: unknown[] = []): Promise<Row[]> {
    if (this.#socket === undefined || this.#socket.destroyed || this.#socket.writableEnded) this.#reset();
    const { rows } = await this.#engine.query<Row>(statement, parameters);
    return rows;
  }

  openSocket(): Duplex {
    this.#socket?.destroy(connectionReset());
    let isNew = true;
    const socket: SimulatedSocket = new SimulatedSocket((chunk) => {
      // The state of a session ends with the first message of the next one.
      if (isNew) this.#reset();
      isNew = false;
      return this.#response(socket, chunk);
    });
    this.#socket = socket;
    return socket;
  }

  async dump(): Promise<Uint8Array<ArrayBuffer>> {
    return new Uint8Array(await (await this.#engine.dumpDataDir('none')).arrayBuffer());
  }

  async close(): Promise<void> {
    this.#socket?.destroy();
    await this.#engine.close();
  }

  /** Pipelined statements arrive in one piece; each may fail on its own. */
  #response(socket: SimulatedSocket, chunk: Uint8Array): Uint8Array | undefined {
    const responses: Uint8Array[] = [];
    for (const exchange of splitExchanges(Buffer.from(chunk))) {
      const response = this.#respondToOne(socket, new Uint8Array(exchange));
      if (response === undefined) return undefined;
      responses.push(response);
    }
    return Buffer.concat(responses);
  }

  /** Returns undefined if the connection is gone. */
  #respondToOne(socket: SimulatedSocket, chunk: Uint8Array): Uint8Array | undefined {
    if (chunk[0] === TERMINATE) {
      this.#reset();
      return undefined;
    }
    const fault = this.#nextFault(chunk);
    if (fault === undefined) return this.#engine.execProtocolRawSync(chunk);
    // While a session is being opened, no statement can fail.
    if (fault.kind === 'error' && toStatement(chunk) !== undefined) {
      if (toStatement(chunk)?.includes('COMMIT') === true) this.#execute('ROLLBACK');
      return this.#engine.execProtocolRawSync(queryMessage(raise(fault.sqlState)));
    }
    if (fault.kind === 'shutdown') {
      socket.shutDown(fatalError('57P01'));
      return undefined;
    }
    if (fault.kind === 'lost-after' || fault.kind === 'crash-after') this.#engine.execProtocolRawSync(chunk);
    if (fault.kind === 'crash-before' || fault.kind === 'crash-after') this.#onCrash();
    socket.destroy(connectionReset());
    return undefined;
  }

  #nextFault(chunk: Uint8Array): Fault | undefined {
    if (this.#armed === undefined) return undefined;
    this.#roundTrips += 1;
    const { at, fault } = this.#armed;
    if (at === 'commit' ? toStatement(chunk) !== 'COMMIT' : at !== this.#roundTrips) return undefined;
    this.#armed = fault.next === undefined ? undefined : { fault: fault.next.fault, at: fault.next.after };
    this.#roundTrips = 0;
    const failed =
      toStatement(chunk)?.replaceAll(/\s+/g, ' ').trim().slice(0, 60) ?? 'the start of a session';
    this.#firedAt = this.#firedAt === undefined ? failed : `${this.#firedAt}, then ${failed}`;
    return fault;
  }

  #reset(): void {
    this.#execute('ROLLBACK');
    this.#execute('DISCARD ALL');
  }

  #execute(statement: string): void {
    this.#engine.execProtocolRawSync(queryMessage(statement));
  }
}

/** The part of a network socket that node-postgres uses. */
class SimulatedSocket extends Duplex {
  readonly #serve: (chunk: Uint8Array) => Uint8Array | undefined;
  #isShut = false;

  constructor(serve: (chunk: Uint8Array) => Uint8Array | undefined) {
    super({ allowHalfOpen: false });
    this.#serve = serve;
  }

  /** Ignores later writes. */
  shutDown(lastMessage: Uint8Array): void {
    this.#isShut = true;
    this.push(lastMessage);
    this.push(null);
  }

  connect(): this {
    queueMicrotask(() => this.emit('connect'));
    return this;
  }

  setNoDelay(): this {
    return this;
  }

  setKeepAlive(): this {
    return this;
  }

  ref(): this {
    return this;
  }

  unref(): this {
    return this;
  }

  override _read(): void {}

  override _write(chunk: Buffer, _encoding: BufferEncoding, done: () => void): void {
    this.#exchange(chunk, done);
  }

  override _writev(chunks: { chunk: Buffer }[], done: () => void): void {
    this.#exchange(Buffer.concat(chunks.map(({ chunk }) => chunk)), done);
  }

  override _final(done: () => void): void {
    this.push(null);
    done();
  }

  #exchange(chunk: Buffer, done: () => void): void {
    // As from a network, the response comes in a later turn of the event loop, not before the query.
    process.nextTick(() => {
      if (this.destroyed) return;
      if (this.#isShut) return done();
      const response = this.#serve(new Uint8Array(chunk));
      if (response !== undefined && response.length > 0) this.push(response);
      if (!this.destroyed) done();
    });
  }
}

/** An error that db/errors.ts recognizes as a reset. */
export function connectionReset(): Error {
  return Object.assign(new Error('the simulated connection was reset'), { code: 'ECONNRESET' });
}

function raise(sqlState: string): string {
  return `DO $$ BEGIN RAISE EXCEPTION 'simulated' USING ERRCODE = '${sqlState}'; END $$`;
}

function queryMessage(statement: string): Uint8Array {
  const text = Buffer.from(`${statement}\0`);
  const message = Buffer.alloc(5 + text.length);
  message.writeUInt8(QUERY, 0);
  message.writeUInt32BE(4 + text.length, 1);
  text.copy(message, 5);
  return new Uint8Array(message);
}

function fatalError(sqlState: string): Uint8Array {
  const fields = Buffer.from(`SFATAL\0VFATAL\0C${sqlState}\0Mterminating connection, simulated\0\0`);
  const head = Buffer.alloc(5);
  head.writeUInt8(ERROR, 0);
  head.writeUInt32BE(4 + fields.length, 1);
  return new Uint8Array(Buffer.concat([head, fields]));
}

/** Splits after each message that needs a response. */
function splitExchanges(bytes: Buffer): Buffer[] {
  // The start of a session has no kind and comes alone.
  if ((bytes[0] ?? 0) < 32) return [bytes];
  const exchanges: Buffer[] = [];
  let start = 0;
  for (let at = 0; at < bytes.length; ) {
    const kind = bytes[at];
    at += 1 + bytes.readUInt32BE(at + 1);
    if (kind !== QUERY && kind !== SYNC && kind !== TERMINATE) continue;
    exchanges.push(bytes.subarray(start, at));
    start = at;
  }
  if (start < bytes.length) exchanges.push(bytes.subarray(start));
  return exchanges;
}

/** Undefined for the start of a session. */
function toStatement(chunk: Uint8Array): string | undefined {
  const bytes = Buffer.from(chunk);
  const kind = bytes[0];
  if (kind === QUERY) return bytes.toString('utf8', 5, bytes.indexOf(0, 5));
  if (kind !== PARSE) return kind === undefined || kind < 32 ? undefined : 'a prepared statement';
  const start = bytes.indexOf(0, 5) + 1;
  return bytes.toString('utf8', start, bytes.indexOf(0, start));
}
