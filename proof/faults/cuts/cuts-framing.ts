/**
 * Splits a stream of PostgreSQL's wire protocol into messages. A client's first message has no type.
 * https://www.postgresql.org/docs/18/protocol-message-formats.html
 */

export type Direction = 'to-server' | 'to-node';

export type WireMessage = {
  /** The protocol's letter; `startup` and `cancel` for messages without one. */
  readonly type: string;
  readonly bytes: Buffer;
};

const LENGTH_BYTES = 4;
const CANCEL_REQUEST = 80_877_102;
/** SSLRequest and GSSENCRequest, which nodes do not send. */
const ENCRYPTION_REQUESTS = new Set([80_877_103, 80_877_104]);

/** Larger messages mean that the stream was split at a wrong place. */
const MESSAGE_BYTES_MAX = 64 * 1024 * 1024;

export class MessageSplitter {
  #pending: Buffer = Buffer.alloc(0);
  #isStartup: boolean;

  constructor(direction: Direction) {
    this.#isStartup = direction === 'to-server';
  }

  push(chunk: Buffer): WireMessage[] {
    this.#pending = this.#pending.length === 0 ? chunk : Buffer.concat([this.#pending, chunk]);
    const messages: WireMessage[] = [];
    for (let message = this.#take(); message !== undefined; message = this.#take()) messages.push(message);
    return messages;
  }

  get pendingBytes(): number {
    return this.#pending.length;
  }

  #take(): WireMessage | undefined {
    const typeBytes = this.#isStartup ? 0 : 1;
    if (this.#pending.length < typeBytes + LENGTH_BYTES) return undefined;
    const length = this.#pending.readUInt32BE(typeBytes);
    if (length < LENGTH_BYTES || length > MESSAGE_BYTES_MAX)
      throw new Error(`a message of ${length} bytes is not part of the protocol`);
    const end = typeBytes + length;
    if (this.#pending.length < end) return undefined;
    const bytes = this.#pending.subarray(0, end);
    this.#pending = this.#pending.subarray(end);
    const type = this.#isStartup ? startupType(bytes) : String.fromCharCode(bytes[0] ?? 0);
    this.#isStartup = false;
    return { type, bytes };
  }
}

function startupType(bytes: Buffer): string {
  const code = bytes.length < 2 * LENGTH_BYTES ? 0 : bytes.readUInt32BE(LENGTH_BYTES);
  if (ENCRYPTION_REQUESTS.has(code)) throw new Error('encrypted connections cannot be split into messages');
  return code === CANCEL_REQUEST ? 'cancel' : 'startup';
}

export function isReadyAndIdle({ type, bytes }: WireMessage): boolean {
  return type === 'Z' && bytes[LENGTH_BYTES + 1] === 'I'.charCodeAt(0);
}
