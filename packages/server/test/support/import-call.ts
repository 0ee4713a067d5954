/** The sender reads the response while it is still sending. */
import { ok } from 'node:assert/strict';
import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { createInterface } from 'node:readline';
import { ImportEvent, type ImportProgress, type ImportResult } from '@keyport/contract/catalogue/imports';
import { ErrorEnvelope } from '@keyport/contract/envelope';
import { Ajv } from 'ajv';
import addFormats from 'ajv-formats';

const ajv = new Ajv({ strict: false });
addFormats.default(ajv);
const isEvent = ajv.compile(ImportEvent);
const isEnvelope = ajv.compile(ErrorEnvelope);

/** A line has one of the first three members, or the last two. */
export type Line = {
  readonly rejected?: { readonly line: number; readonly message: string };
  readonly committed?: ImportProgress;
  readonly result?: ImportResult;
  readonly error?: { readonly code: string; readonly message: string };
  readonly traceId?: string;
};

export function callImport(options: {
  readonly url: string;
  /** Absent if `headers` authenticate the sender. */
  readonly token?: string;
  readonly target: string;
  readonly headers?: Readonly<Record<string, string>>;
}) {
  const outgoing = request(`${options.url}/admin/v1/imports/${options.target}`, {
    method: 'POST',
    agent: false,
    headers: {
      ...(options.token === undefined ? {} : { authorization: `Bearer ${options.token}` }),
      'content-type': 'application/x-ndjson',
      accept: 'application/x-ndjson',
      ...options.headers,
    },
  });
  const arrived = once(outgoing, 'response').then(([response]): IncomingMessage => response);
  arrived.catch(() => {});
  // A broken connection shows in an incomplete or missing response.
  outgoing.on('error', () => {});
  const lines = readLines(arrived);
  return {
    async send(bytes: string | Buffer): Promise<void> {
      if (!outgoing.write(bytes)) await once(outgoing, 'drain');
    },
    end: (bytes: string | Buffer = '') => void outgoing.end(bytes),
    /** Ends the connection as if the sender died. */
    cut: () => void outgoing.destroy(),
    response: () => arrived,
    async next(): Promise<Line | undefined> {
      const { value, done } = await lines.next();
      return done === true ? undefined : value;
    },
    async rest(): Promise<Line[]> {
      const all: Line[] = [];
      for await (const line of lines) all.push(line);
      return all;
    },
  };
}

export async function importAll(
  options: Parameters<typeof callImport>[0],
  body: string | Buffer,
): Promise<Line[]> {
  const call = callImport(options);
  call.end(body);
  return call.rest();
}

async function* readLines(arrived: Promise<IncomingMessage>): AsyncGenerator<Line> {
  const response = await arrived;
  for await (const text of createInterface({ input: response })) {
    const line: Line & object = JSON.parse(text);
    if (line.error === undefined) ok(isEvent(line), `${text}: ${ajv.errorsText(isEvent.errors)}`);
    else ok(isEnvelope(line), `${text}: ${ajv.errorsText(isEnvelope.errors)}`);
    yield line;
  }
}
