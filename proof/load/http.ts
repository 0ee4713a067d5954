/** HTTP/1.1 at little cost compared with the measured service: a response is parsed only as far as needed. */
import { connect, type Socket } from 'node:net';

export type Request = {
  readonly method?: string;
  readonly path: string;
  readonly token?: string | undefined;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  readonly contentType?: string;
};

export type SendOptions = {
  /** Unlimited by default. */
  readonly timeoutMs?: number | undefined;
  readonly signal?: AbortSignal | undefined;
};

export function toWire({ method = 'GET', path, token, headers = {}, body, contentType }: Request): string {
  let head = `${method} ${path} HTTP/1.1\r\nhost: 127.0.0.1\r\n`;
  if (token !== undefined) head += `authorization: Bearer ${token}\r\n`;
  for (const [name, value] of Object.entries(headers)) head += `${name}: ${value}\r\n`;
  if (body === undefined) return `${head}\r\n`;
  const type = contentType ?? 'application/json';
  return `${head}content-type: ${type}\r\ncontent-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`;
}

export class Response {
  /** 0 if no response came, so that the outcome is unknown. */
  readonly status: number;
  readonly head: string;
  readonly #body: readonly Buffer[];

  constructor(status = 0, head = '', body: readonly Buffer[] = []) {
    this.status = status;
    this.head = head;
    this.#body = body;
  }

  header(name: string): string | undefined {
    return new RegExp(`\r\n${name}: ([^\r]*)`, 'i').exec(this.head)?.[1];
  }

  text(): string {
    return Buffer.concat(this.#body).toString();
  }

  /** Undefined if the body is not JSON, such as a load balancer's page. */
  // biome-ignore lint/suspicious/noExplicitAny: tests read any member
  json(): any {
    return this.header('content-type')?.startsWith('application/json') ? JSON.parse(this.text()) : undefined;
  }
}

/** Services and balancers keep idle connections longer. */
const IDLE_MAX_MS = 4_000;

export class Connections {
  readonly #ports = new Map<number, { readonly open: Set<Connection>; readonly free: Connection[] }>();

  /** Never rejects: without a response, the status is 0. */
  async send(port: number, request: string | Buffer, options: SendOptions = {}): Promise<Response> {
    const pool = this.#ports.get(port) ?? { open: new Set(), free: [] };
    this.#ports.set(port, pool);
    const connection = this.#free(pool.free) ?? this.#connect(port, pool.open);
    const response = await connection.exchange(request, options);
    if (connection.socket.writable) pool.free.push(connection);
    return response;
  }

  close(): void {
    for (const { open } of this.#ports.values()) for (const { socket } of open) socket.destroy();
  }

  #free(free: Connection[]): Connection | undefined {
    for (let connection = free.pop(); connection !== undefined; connection = free.pop()) {
      if (connection.socket.writable && performance.now() - connection.idleSinceMs < IDLE_MAX_MS)
        return connection;
      connection.socket.destroy();
    }
    return undefined;
  }

  #connect(port: number, open: Set<Connection>): Connection {
    const connection = new Connection(port, () => open.delete(connection));
    open.add(connection);
    return connection;
  }
}

const HEADER_END = Buffer.from('\r\n\r\n');
const NOTHING = Buffer.alloc(0);

class Connection {
  readonly socket: Socket;
  idleSinceMs = performance.now();
  #head: Buffer = NOTHING;
  #status = 0;
  #headText = '';
  #body: Buffer[] = [];
  /** -1 while the head is incomplete. */
  #missing = -1;
  #onResponse: ((response: Response) => void) | undefined;

  constructor(port: number, onClose: () => void) {
    this.socket = connect({ port, host: '127.0.0.1', noDelay: true });
    this.socket.on('data', (chunk: Buffer) => this.#read(chunk));
    this.socket.on('error', () => {});
    this.socket.on('close', () => {
      this.#settle(
        this.#missing === Number.POSITIVE_INFINITY
          ? new Response(this.#status, this.#headText, this.#body)
          : new Response(),
      );
      onClose();
    });
  }

  exchange(request: string | Buffer, { timeoutMs, signal }: SendOptions): Promise<Response> {
    const hangUp = () => void this.socket.destroy();
    const timer = timeoutMs === undefined ? undefined : setTimeout(hangUp, timeoutMs);
    signal?.addEventListener('abort', hangUp);
    this.socket.ref();
    return new Promise((resolve) => {
      this.#onResponse = (response) => {
        clearTimeout(timer);
        signal?.removeEventListener('abort', hangUp);
        resolve(response);
      };
      if (this.socket.destroyed || signal?.aborted) this.#settle(new Response());
      else this.socket.write(request);
    });
  }

  #read(chunk: Buffer): void {
    if (this.#missing >= 0) {
      this.#missing -= chunk.length;
      this.#body.push(chunk);
    } else {
      this.#head = this.#head.length === 0 ? chunk : Buffer.concat([this.#head, chunk]);
      const end = this.#head.indexOf(HEADER_END);
      if (end === -1) return;
      this.#headText = this.#head.toString('latin1', 0, end);
      this.#status = Number(this.#headText.slice(9, 12));
      const body = this.#head.subarray(end + HEADER_END.length);
      this.#body = [body];
      this.#missing = computeLength(this.#status, this.#headText) - body.length;
      this.#head = NOTHING;
    }
    if (this.#missing > 0) return;
    const isLast = /\r\nconnection: close/i.test(this.#headText);
    this.#missing = -1;
    if (isLast) this.socket.destroy();
    this.#settle(new Response(this.#status, this.#headText, this.#body));
  }

  #settle(response: Response): void {
    const onResponse = this.#onResponse;
    this.#onResponse = undefined;
    this.idleSinceMs = performance.now();
    this.socket.unref();
    onResponse?.(response);
  }
}

function computeLength(status: number, head: string): number {
  if (status === 204 || status === 304) return 0;
  const length = /\r\ncontent-length: (\d+)/i.exec(head)?.[1];
  return length === undefined ? Number.POSITIVE_INFINITY : Number(length);
}
