/** Sends an import piece by piece, while its stored progress is read. */
import { ok } from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { json } from 'node:stream/consumers';
import { ImportResult, type ImportRunRecord } from '@keyport/contract/catalogue/imports';
import { ErrorEnvelope } from '@keyport/contract/envelope';
import { Ajv } from 'ajv';
import addFormats from 'ajv-formats';

const ajv = new Ajv({ strict: false });
addFormats.default(ajv);
// A format of requests only, which responses repeat.
ajv.addFormat('filled', true);
const isResult = ajv.compile(ImportResult);
const isEnvelope = ajv.compile(ErrorEnvelope);

export type Outcome = {
  readonly result?: ImportResult;
  readonly error?: { readonly code: string; readonly message: string };
};

export function callImport(options: {
  readonly url: string;
  /** Absent if `headers` authenticate the sender. */
  readonly token?: string;
  readonly target: string;
  readonly headers?: Readonly<Record<string, string>>;
}) {
  const address = new URL(`${options.url}/admin/v1/imports/${options.target}`);
  if (!address.searchParams.has('importId')) address.searchParams.set('importId', randomUUID());
  const importId = address.searchParams.get('importId') ?? '';
  const headers = {
    ...(options.token === undefined ? {} : { authorization: `Bearer ${options.token}` }),
    ...options.headers,
  };
  const outgoing = request(address, {
    method: 'POST',
    agent: false,
    headers: { 'content-type': 'application/x-ndjson', ...headers },
  });
  const arrived = once(outgoing, 'response').then(([response]): IncomingMessage => response);
  arrived.catch(() => {});
  // A broken connection shows in an incomplete or missing response.
  outgoing.on('error', () => {});
  return {
    importId,
    /** Resolves also if the service has closed the connection, after which nothing drains. */
    async send(bytes: string | Buffer): Promise<void> {
      if (outgoing.closed || outgoing.write(bytes)) return;
      const settled = new AbortController();
      const { signal } = settled;
      await Promise.race([once(outgoing, 'drain', { signal }), once(outgoing, 'close', { signal })]);
      settled.abort();
    },
    end: (bytes: string | Buffer = '') => void outgoing.end(bytes),
    /** Ends the connection as if the sender died. */
    cut: () => void outgoing.destroy(),
    response: () => arrived,
    /** Resolves when the service has stored this many lines. */
    async stored(read: number): Promise<ImportRunRecord> {
      for (;;) {
        const response = await fetch(`${options.url}/admin/v1/imports?${new URLSearchParams({ importId })}`, {
          headers,
        });
        const { data } = (await response.json()) as { data: ImportRunRecord[] };
        const [run] = data;
        if (run !== undefined && run.read >= read) return run;
      }
    },
    async outcome(): Promise<Outcome> {
      const body = (await json(await arrived)) as { data?: unknown; error?: unknown };
      if (body.error !== undefined) {
        ok(isEnvelope(body), ajv.errorsText(isEnvelope.errors));
        return { error: body.error as never };
      }
      ok(isResult(body.data), ajv.errorsText(isResult.errors));
      return { result: body.data as ImportResult };
    },
  };
}

export async function importAll(
  options: Parameters<typeof callImport>[0],
  body: string | Buffer,
): Promise<Outcome> {
  const call = callImport(options);
  call.end(body);
  return call.outcome();
}
