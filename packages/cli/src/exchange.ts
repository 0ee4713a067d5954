/**
 * A request whose response is read line by line while its body is still being sent, which fetch does not do. Nothing of
 * what goes wrong with the connection is thrown while sending: the response says so, or it breaks off (ExchangeBroken).
 */
import { once } from 'node:events';
import { type IncomingMessage, request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import { text } from 'node:stream/consumers';

export type Exchange = {
  /** Resolves when more may be sent, or when nothing can be any more. */
  send(bytes: Uint8Array): Promise<void>;
  /** The body is whole. */
  end(): void;
  /** Gives up: what is on its way may arrive or not. */
  cut(): void;
  /** Nothing can be sent any more. */
  readonly isOver: () => boolean;
  /** The lines of the response. Throws ExchangeBroken, and ExchangeRefused for a status that is no success. */
  readonly lines: AsyncGenerator<string>;
};

/** The connection was lost before the response had ended, or never made. */
export class ExchangeBroken extends Error {
  override readonly name = 'ExchangeBroken';
}

export class ExchangeRejected extends Error {
  override readonly name = 'ExchangeRejected';
  readonly status: number;
  readonly url: string;
  readonly body: string;
  constructor(status: number, url: string, body: string) {
    super(`${url} answered ${status}`);
    this.status = status;
    this.url = url;
    this.body = body;
  }
}

export function openExchange(
  url: string,
  method: string,
  headers: Readonly<Record<string, string>>,
): Exchange {
  const request = url.startsWith('https:') ? requestHttps : requestHttp;
  const outgoing = request(url, { method, headers, agent: false });
  let isOver = false;
  const closed = once(outgoing, 'close').catch(() => {});
  void closed.then(() => {
    isOver = true;
  });
  const arrived = once(outgoing, 'response').then(([response]): IncomingMessage => response);
  // The reader of the lines gets the error.
  arrived.catch(() => {});
  outgoing.on('error', () => {});
  return {
    async send(bytes) {
      if (!isOver && !outgoing.write(bytes))
        await Promise.race([once(outgoing, 'drain').catch(() => {}), closed]);
    },
    end: () => void outgoing.end(),
    cut: () => void outgoing.destroy(),
    isOver: () => isOver,
    lines: readLines(arrived, url),
  };
}

async function* readLines(arrived: Promise<IncomingMessage>, url: string): AsyncGenerator<string> {
  let response: IncomingMessage;
  try {
    response = await arrived;
  } catch (cause) {
    throw new ExchangeBroken(`the service at ${new URL(url).origin} does not answer`, { cause });
  }
  const { statusCode = 0 } = response;
  if (statusCode !== 200) throw new ExchangeRejected(statusCode, url, await text(response).catch(() => ''));
  response.setEncoding('utf8');
  let rest = '';
  try {
    for await (const chunk of response) {
      const lines = (rest + chunk).split('\n');
      rest = lines.pop() ?? '';
      yield* lines;
    }
  } catch (cause) {
    throw new ExchangeBroken('the answer broke off before its end', { cause });
  }
}
