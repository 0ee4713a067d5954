/** Uploads the source, shows the progress that the service stores, and says what is stored if the upload fails. */
import { setTimeout as sleep } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import type { ImportKind, ImportResult, ImportRunRecord } from '@keyport/contract/catalogue/imports';
import { KeyportError } from '@keyport/sdk-source';
import { CommandFailure } from '../failure.ts';
import { type ApiClient, UploadFailed } from '../service/api-client.ts';
import type { Meter } from './meter.ts';
import type { Format, ImportSource } from './source.ts';

export type ImportJob = {
  readonly kind: ImportKind;
  readonly source: ImportSource;
  readonly fileName: string | undefined;
  readonly format: Format;
  readonly mapping: object | undefined;
  readonly dryRun: boolean;
  readonly deleteMissing: boolean;
  readonly confirmRemovals?: string | undefined;
};

export type ImportTools = {
  readonly connect: () => Promise<ApiClient>;
  readonly meter: Meter;
  readonly stop: AbortSignal;
};

/** A signal stopped the import; the message states what is kept. */
export class ImportStopped extends Error {
  override readonly name = 'ImportStopped';
}

const CONTENT_TYPES = { ndjson: 'application/x-ndjson', csv: 'text/csv' } as const;
/** Together, these delays are longer than a restart of the service. */
const RETRY_DELAYS_MS = [500, 1_000, 2_000, 4_000, 8_000, 15_000, 15_000, 15_000];
const POLL_INTERVAL_MS = 1_000;
/** An import whose connection has ended stops after its batch, or when its node is considered dead. */
const SETTLE_MS_MAX = 15_000;

/** Throws CommandFailure and ImportStopped. */
export async function runImport(job: ImportJob, tools: ImportTools): Promise<ImportResult> {
  const { meter, stop } = tools;
  const client = await tools.connect();
  const before = await latestRun(client, job);
  for (let attempt = 0; ; attempt += 1) {
    try {
      return await upload(job, tools, client);
    } catch (error) {
      const delayMs = RETRY_DELAYS_MS[attempt];
      if (stop.aborted) throw new ImportStopped(`Stopped. ${await describeRest(client, job, before)}`);
      if (!mayPass(error) || delayMs === undefined) {
        // A rejection of the service says itself what was kept.
        if (!(error instanceof UploadFailed)) throw error;
        const rest = await describeRest(client, job, before);
        throw new CommandFailure(`${error.message}. ${rest}`, { cause: error });
      }
      const { message } = error instanceof Error ? error : { message: String(error) };
      meter.note(`${message}\nSending the import again in ${delayMs / 1000} s.`);
      await sleep(delayMs, undefined, { signal: stop }).catch(() => {});
      if (stop.aborted) throw new ImportStopped(`Stopped. ${await describeRest(client, job, before)}`);
    }
  }
}

/** A proxy that rejects an upload does so each time. */
function mayPass(error: unknown): boolean {
  if (error instanceof UploadFailed) return error.status === undefined || error.status === 503;
  const { cause } = error instanceof Error ? error : { cause: undefined };
  // The service may not have noticed yet that an earlier upload has ended.
  return cause instanceof KeyportError && (cause.status === 409 || cause.status === 503);
}

async function upload(
  job: ImportJob,
  { meter, stop }: ImportTools,
  client: ApiClient,
): Promise<ImportResult> {
  const { kind, source, mapping, format, fileName, confirmRemovals } = job;
  const isOver = new AbortController();
  meter.start(source.lineCount);
  const showing = (async () => {
    for (;;) {
      await sleep(POLL_INTERVAL_MS, undefined, { signal: isOver.signal });
      const run = await latestRun(client, job);
      if (run?.state === 'running' && !isOver.signal.aborted) meter.show(run.read, run.rejected);
    }
  })().catch(() => {});
  try {
    const query = {
      importId: source.hash,
      fileName,
      confirmRemovals,
      ...(mapping === undefined ? {} : { hasMapping: 'true' }),
      ...(job.dryRun ? { dryRun: 'true' } : {}),
      ...(job.deleteMissing ? { deleteMissing: 'true' } : {}),
    };
    const headers = {
      'content-type': CONTENT_TYPES[format],
      ...(source.isGzip ? { 'content-encoding': 'gzip' } : {}),
    };
    const body = () => toBody(job);
    const { data } = await client.upload(
      'importLines',
      { params: { kind }, query },
      { headers, body, signal: stop },
    );
    return data;
  } finally {
    isOver.abort();
    meter.stop();
    await showing;
  }
}

/** Parts of a gzip file are gzip files. */
async function* toBody({ source, mapping }: ImportJob): AsyncGenerator<Uint8Array> {
  if (mapping !== undefined) {
    const line = Buffer.from(`${JSON.stringify(mapping)}\n`);
    yield source.isGzip ? gzipSync(line) : line;
  }
  yield* source.read();
}

async function latestRun(
  client: ApiClient,
  { source, kind, dryRun }: ImportJob,
): Promise<ImportRunRecord | undefined> {
  const query = { importId: source.hash, kind, dryRun: String(dryRun), limit: '1' };
  return (await client.call('listImports', { query })).body.data?.[0];
}

/** Asks the service what it has stored. */
async function describeRest(
  client: ApiClient,
  job: ImportJob,
  before: ImportRunRecord | undefined,
): Promise<string> {
  const again = 'Run the same command again: lines that are stored are unchanged.';
  try {
    let run = await latestRun(client, job);
    const endsAtMs = performance.now() + SETTLE_MS_MAX;
    while (run?.state === 'running' && performance.now() < endsAtMs) {
      await sleep(POLL_INTERVAL_MS);
      run = await latestRun(client, job);
    }
    if (run === undefined || (run.id === before?.id && before.state === 'completed')) {
      return `The service has read no line of this import, so nothing was imported. ${again}`;
    }
    const { read, written, unchanged, rejected, state, dryRun } = run;
    const counts = `${read} of ${job.source.lineCount} lines: ${written} written, ${unchanged} unchanged, ${rejected} rejected`;
    if (state === 'completed')
      return `The service completed the import: ${counts}. Only its report is missing. ${again}`;
    const end = state === 'running' ? 'is still reading it' : 'stopped';
    const kept = dryRun ? 'It was a dry run; nothing was imported.' : again;
    return `The service ${end} after ${counts}. ${kept}`;
  } catch {
    return `The service cannot be asked what it has stored. ${again}`;
  }
}
