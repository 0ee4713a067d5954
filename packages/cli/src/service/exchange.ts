/** Reads the response line by line while sending the body. Only reading throws. */
export type Exchange = {
  /** Resolves when more may be sent, or when nothing can be sent any more. */
  send(bytes: Uint8Array): Promise<void>;
  end(): void;
  cut(): void;
  readonly isOver: () => boolean;
  /** Throws ExchangeBroken, and the error with which the request failed. */
  readonly lines: AsyncGenerator<string>;
};

export class ExchangeBroken extends Error {
  override readonly name = 'ExchangeBroken';
}

type Sent = {
  readonly body: ReadableStream<Uint8Array>;
  readonly duplex: 'half';
  readonly signal: AbortSignal;
};

export function openExchange(fetch: (init: Sent) => Promise<Response>): Exchange {
  const controller = new AbortController();
  const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>();
  const writer = writable.getWriter();
  let isOver = false;
  const cut = () => {
    isOver = true;
    controller.abort();
    writer.abort().catch(() => {});
  };
  const response = fetch({ body: readable, duplex: 'half', signal: controller.signal });
  // The reader of the lines gets the error.
  response.catch(cut);
  writer.closed.catch(() => {});
  return {
    async send(bytes) {
      if (isOver) return;
      writer.write(bytes).catch(() => {});
      await writer.ready.catch(() => {});
    },
    end: () => void writer.close().catch(() => {}),
    cut,
    isOver: () => isOver,
    lines: readLines(response, cut),
  };
}

async function* readLines(response: Promise<Response>, onEnd: () => void): AsyncGenerator<string> {
  let rest = '';
  try {
    const { body } = await response;
    for await (const chunk of body === null ? [] : textOf(body)) {
      const lines = (rest + chunk).split('\n');
      rest = lines.pop() ?? '';
      yield* lines;
    }
  } finally {
    onEnd();
  }
}

async function* textOf(body: ReadableStream<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  try {
    for await (const chunk of body) yield decoder.decode(chunk, { stream: true });
  } catch (cause) {
    throw new ExchangeBroken('the response ended early', { cause });
  }
}
