/** HTTP as resellers speak it: connections that are kept, one pool of them for each node. */
import { Agent, request } from 'node:http';

export type Reply = {
  /** 0: no response came, and the outcome of the request is unknown. */
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly text: string;
};

export type Sending = {
  readonly method?: string;
  readonly token?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  readonly contentType?: string;
  /** Instead of a minute. */
  readonly timeoutMs?: number;
  /** The caller hangs up when it is aborted. */
  readonly signal?: AbortSignal;
};

export type Caller = {
  send(url: string, path: string, sending?: Sending): Promise<Reply>;
  close(): void;
};

/** At each node: what is open at the nodes is then what they made of it, and not how bursts fell. */
const CONNECTIONS_MAX = 64;

/** Longer than any response may take, and than the longest wait of the change feed. */
const TIMEOUT_MS = 60_000;

export function createCaller(): Caller {
  const agent = new Agent({ keepAlive: true, maxSockets: CONNECTIONS_MAX });
  return {
    send: (url, path, sending = {}) => send(agent, new URL(path, url), sending),
    close: () => agent.destroy(),
  };
}

function send(agent: Agent, url: URL, sending: Sending): Promise<Reply> {
  const { method = 'GET', token, headers = {}, body, contentType = 'application/json', signal } = sending;
  const { timeoutMs = TIMEOUT_MS } = sending;
  return new Promise((resolve) => {
    const unanswered = () => resolve({ status: 0, headers: {}, text: '' });
    const outgoing = request(url, {
      agent,
      method,
      timeout: timeoutMs,
      headers: {
        ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
        ...(body === undefined
          ? {}
          : { 'content-type': contentType, 'content-length': Buffer.byteLength(body) }),
        ...headers,
      },
      ...(signal === undefined ? {} : { signal }),
    });
    outgoing.on('timeout', () => outgoing.destroy());
    outgoing.on('error', unanswered);
    outgoing.on('response', (incoming) => {
      const chunks: Buffer[] = [];
      incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
      incoming.on('error', unanswered);
      incoming.on('close', unanswered);
      incoming.on('end', () =>
        resolve({
          status: incoming.statusCode ?? 0,
          headers: incoming.headers,
          text: Buffer.concat(chunks).toString(),
        }),
      );
    });
    outgoing.end(body);
  });
}
