/** Sends raw bytes and checks every byte of the responses. */
import { connect, type Socket } from 'node:net';
import { type HostileRequest, isWellFramed } from './requests.ts';

export type WireResponse = {
  readonly status: number;
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly body: Buffer;
};

/** Longer than every timeout of the service, but shorter than the 20 s sleep that requests can inject. */
const RESPONSE_TIMEOUT_MS = 16_000;

const HANG_UP_MS = 100;

export class Wire {
  readonly #port: number;
  readonly #idle: Socket[] = [];
  /** The previous request of a connection, which may have caused the failure of the next one. */
  readonly #last = new WeakMap<Socket, { readonly request: HostileRequest; readonly atMs: number }>();
  readonly #unasked = new WeakMap<Socket, string>();

  constructor(port: number) {
    this.#port = port;
  }

  /**
   * Returns exactly one response if the request is well framed, otherwise all until the connection ends.
   * Throws if they are late or are not HTTP.
   */
  async send(request: HostileRequest): Promise<WireResponse[]> {
    return isWellFramed(request) ? [await this.#exchange(request)] : this.#sendAlone(request);
  }

  close(): void {
    for (const socket of this.#idle) socket.destroy();
    this.#idle.length = 0;
  }

  async #exchange(request: HostileRequest): Promise<WireResponse> {
    const socket = this.#kept(request) ?? this.#connect(request.source);
    const { response, mayStay } = await readOne(socket, serialise(request), request.method === 'HEAD').catch(
      (error: unknown) => {
        const last = this.#last.get(socket);
        const before =
          last === undefined
            ? 'on a new connection'
            : `${Math.round(performance.now() - last.atMs)} ms after the response to the previous request, with ${this.#unasked.get(socket) ?? 'nothing'} in between: ${serialise(last.request).toString('latin1', 0, 3000)}`;
        const sent = serialise(request).toString('latin1', 0, 1500);
        throw new Error(`${error} ${before}\nwas sent: ${sent}`, { cause: error });
      },
    );
    this.#last.set(socket, { request, atMs: performance.now() });
    if (mayStay && request.source === 1) this.#idle.push(socket);
    else socket.destroy();
    return response;
  }

  #kept({ source }: HostileRequest): Socket | undefined {
    while (source === 1 && this.#idle.length > 0) {
      const socket = this.#idle.pop();
      if (socket?.destroyed === false && !socket.readableEnded) return socket;
    }
    return undefined;
  }

  #sendAlone(request: HostileRequest): Promise<WireResponse[]> {
    const socket = this.#connect(request.source);
    return new Promise((resolve, reject) => {
      const chunks: Buffer[] = [];
      socket.setTimeout(RESPONSE_TIMEOUT_MS, () => {
        socket.destroy();
        reject(new Error(`the connection is still open after ${RESPONSE_TIMEOUT_MS} ms`));
      });
      // Hanging up immediately may lose the response; never hanging up would wait forever for an endless one.
      const hangUp = setTimeout(() => socket.end(), HANG_UP_MS);
      socket.on('data', (chunk: Buffer) => {
        chunks.push(chunk);
        hangUp.refresh();
      });
      socket.on('close', () => {
        clearTimeout(hangUp);
        try {
          resolve(parseAll(Buffer.concat(chunks), request.method === 'HEAD'));
        } catch (error) {
          reject(error);
        }
      });
      socket.write(serialise(request));
    });
  }

  #connect(source: number): Socket {
    const socket = connect({
      port: this.#port,
      host: '127.0.0.1',
      localAddress: `127.0.0.${source}`,
      noDelay: true,
    });
    socket.on('data', (chunk: Buffer) => {
      if (this.#idle.includes(socket)) this.#unasked.set(socket, chunk.toString('latin1', 0, 300));
    });
    // The service may cut off a rejected caller that is still sending; earlier bytes are checked.
    socket.on('error', () => {});
    return socket;
  }
}

function readOne(
  socket: Socket,
  bytes: Buffer,
  isHead: boolean,
): Promise<{ response: WireResponse; mayStay: boolean }> {
  return new Promise((resolve, reject) => {
    let received: Buffer = Buffer.alloc(0);
    const startedAtMs = performance.now();
    const settle = () => {
      socket.off('data', onData);
      socket.off('close', onClose);
      clearTimeout(timer);
    };
    const timer = setTimeout(() => {
      settle();
      socket.destroy();
      reject(new Error(`no response within ${Math.round(performance.now() - startedAtMs)} ms`));
    }, RESPONSE_TIMEOUT_MS);
    const onData = (chunk: Buffer) => {
      received = Buffer.concat([received, chunk]);
      const parsed = attempt(() => parseOne(received, { isHead, isEnded: false }));
      if (parsed === undefined) return;
      settle();
      if (parsed instanceof Error) return reject(parsed);
      if (parsed.rest.length > 0)
        return reject(new Error(`more than one response: ${parsed.rest.toString('latin1', 0, 300)}`));
      const isClosing = parsed.response.headers.some(
        ([name, value]) => name === 'connection' && value === 'close',
      );
      resolve({ response: parsed.response, mayStay: !isClosing });
    };
    const onClose = () => {
      settle();
      const parsed = attempt(() => parseOne(received, { isHead, isEnded: true }));
      if (parsed === undefined || parsed instanceof Error)
        reject(parsed ?? new Error('the connection was closed without a response'));
      else resolve({ response: parsed.response, mayStay: false });
    };
    socket.on('data', onData);
    socket.on('close', onClose);
    if (socket.destroyed) return onClose();
    socket.write(bytes);
  });
}

function attempt<T>(work: () => T): T | Error {
  try {
    return work();
  } catch (error) {
    return error instanceof Error ? error : new Error(String(error));
  }
}

export function serialise({ method, target, headers, body, framing }: HostileRequest): Buffer {
  const lines = headers.map(([name, value]) => `${name}: ${value}`);
  const sizeBytes = body?.length ?? 0;
  if (framing === 'broken') lines.splice(1, 0, 'X-Broken: a\u0000b', ' folded', 'X-Broken-Name\u0001: x');
  if (framing === 'chunked' || framing === 'both') lines.push('Transfer-Encoding: chunked');
  if (framing === 'short') lines.push(`Content-Length: ${sizeBytes + 10}`);
  else if (framing === 'long') lines.push(`Content-Length: ${Math.max(0, sizeBytes - 3)}`);
  else if (framing !== 'chunked' && framing !== 'none' && body !== undefined)
    lines.push(`Content-Length: ${sizeBytes}`);
  const head = Buffer.from(`${method} ${target} HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n`, 'latin1');
  if (framing !== 'chunked') return Buffer.concat([head, body ?? Buffer.alloc(0)]);
  const chunk = sizeBytes === 0 ? '' : `${sizeBytes.toString(16)}\r\n`;
  return Buffer.concat([
    head,
    Buffer.from(chunk),
    body ?? Buffer.alloc(0),
    Buffer.from(`${sizeBytes === 0 ? '' : '\r\n'}0\r\n\r\n`),
  ]);
}

export function parseAll(bytes: Buffer, isHead = false): WireResponse[] {
  const responses: WireResponse[] = [];
  let rest = bytes;
  while (rest.length > 0) {
    const parsed = parseOne(rest, { isHead: isHead && responses.length === 0, isEnded: true });
    // The service sent 100 Continue and then hung up.
    if (parsed === undefined && /^HTTP\/1\.1 100 [^\r]*\r\n\r\n$/.test(rest.toString('latin1'))) break;
    if (parsed === undefined) throw new Error(`half a response: ${rest.toString('latin1', 0, 300)}`);
    responses.push(parsed.response);
    rest = parsed.rest;
  }
  return responses;
}

type Parsed = { readonly response: WireResponse; readonly rest: Buffer };

/** Undefined while the response is not complete. */
function parseOne(
  bytes: Buffer,
  { isHead, isEnded }: { isHead: boolean; isEnded: boolean },
): Parsed | undefined {
  const end = bytes.indexOf('\r\n\r\n');
  if (end === -1) return undefined;
  const [statusLine = '', ...lines] = bytes.toString('latin1', 0, end).split('\r\n');
  const status = Number(/^HTTP\/1\.1 (\d{3}) /.exec(statusLine)?.[1]);
  if (Number.isNaN(status)) throw new Error(`no status line: ${statusLine.slice(0, 200)}`);
  const rest = bytes.subarray(end + 4);
  if (status < 200) return parseOne(rest, { isHead, isEnded });
  const headers = lines.map((line) => {
    const colon = line.indexOf(':');
    if (colon < 1) throw new Error(`no header line: ${line.slice(0, 200)}`);
    return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()] as const;
  });
  const of = (wanted: string) => headers.find(([name]) => name === wanted)?.[1];
  // A request that cannot be parsed has no method: its response has a body and ends the connection.
  const isBodiless = isHead && !(of('connection') === 'close' && rest.length > 0);
  if (isBodiless || status === 204 || status === 304)
    return { response: { status, headers, body: Buffer.alloc(0) }, rest };
  if (of('transfer-encoding') === 'chunked') {
    const chunked = parseChunks(rest);
    return chunked && { response: { status, headers, body: chunked.body }, rest: chunked.rest };
  }
  const length = of('content-length');
  if (length === undefined)
    return isEnded ? { response: { status, headers, body: rest }, rest: Buffer.alloc(0) } : undefined;
  const sizeBytes = Number(length);
  if (rest.length < sizeBytes) return undefined;
  return { response: { status, headers, body: rest.subarray(0, sizeBytes) }, rest: rest.subarray(sizeBytes) };
}

function parseChunks(bytes: Buffer): { body: Buffer; rest: Buffer } | undefined {
  const chunks: Buffer[] = [];
  let at = 0;
  for (;;) {
    const lineEnd = bytes.indexOf('\r\n', at);
    if (lineEnd === -1) return undefined;
    const sizeBytes = Number.parseInt(bytes.toString('latin1', at, lineEnd), 16);
    const next = lineEnd + 2 + sizeBytes + 2;
    if (bytes.length < next) return undefined;
    if (sizeBytes === 0) return { body: Buffer.concat(chunks), rest: bytes.subarray(next) };
    chunks.push(bytes.subarray(lineEnd + 2, lineEnd + 2 + sizeBytes));
    at = next;
  }
}
