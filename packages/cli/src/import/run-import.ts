import { setTimeout as sleep } from 'node:timers/promises';
import type {
  ImportEvent,
  ImportKind,
  ImportProgress,
  ImportResult,
} from '@keyport/contract/catalogue/imports';
import type { ErrorEnvelope } from '@keyport/contract/envelope';
import { KeyportError } from '@keyport/sdk-source';
import { describeRejection, NoService } from '@keyport/sdk-source/commands/session';
import { CommandFailure } from '../failure.ts';
import type { ApiClient } from '../service/api-client.ts';
import { type Exchange, ExchangeBroken } from '../service/exchange.ts';
import { forwardMapped, forwardUnchanged, type Sender } from './forward.ts';
import type { ReadMapping } from './mapping.ts';
import type { Meter } from './meter.ts';
import type { Rejects } from './rejects.ts';
import { type SentLine, SentLines } from './sent-lines.ts';
import { type Format, openImportSource } from './source.ts';

export type ImportJob = {
  readonly kind: ImportKind;
  readonly source: string;
  readonly fileName: string | undefined;
  readonly format: Format;
  readonly mapping: ReadMapping | undefined;
  /** If undefined, the service keeps no progress, and every run begins from line 1. */
  readonly importId: string | undefined;
  readonly dryRun: boolean;
  readonly deleteMissing: boolean;
  readonly confirmRemovals?: string | undefined;
  readonly resumeHint: string;
  /** Reading the source again returns the same lines. */
  readonly isRepeatable: boolean;
  readonly rejects: Rejects | undefined;
};

export type ImportTools = {
  readonly connect: () => Promise<ApiClient>;
  readonly meter: Meter;
  readonly stop: AbortSignal;
};

/** A signal stopped the import; the message states what is kept and how to continue. */
export class ImportStopped extends Error {
  override readonly name = 'ImportStopped';
}

const CONTENT_TYPES = { ndjson: 'application/x-ndjson', csv: 'text/csv' } as const;

/** Together, these delays are longer than a restart of the service. */
const RETRY_DELAYS_MS = [500, 1_000, 2_000, 4_000, 8_000, 15_000, 15_000, 15_000];

/** Lets the service finish its current batch. */
const STOP_GRACE_MS = 1_000;

const ERROR_COUNT_MAX = 1_000;

/** The result covers all attempts of this run. Throws CommandFailure and ImportStopped. */
export async function runImport(job: ImportJob, tools: ImportTools): Promise<ImportResult> {
  const tally = new Tally();
  let failures = 0;
  for (;;) {
    const lineBefore = tally.line;
    try {
      const client = await tools.connect().catch((cause: Error) => {
        throw tally.hasBegun ? new ExchangeBroken(cause.message, { cause }) : cause;
      });
      const result = await attempt(job, tools, client, tally);
      await recheck(job, tools, client, tally, result);
      return tally.outcome(result);
    } catch (error) {
      failures = tally.line > lineBefore ? 1 : failures + 1;
      const delayMs = RETRY_DELAYS_MS[failures - 1];
      if (!tools.stop.aborted) {
        if (!job.isRepeatable || !mayPass(error, tally) || delayMs === undefined)
          throw explain(error, job, tally);
        const { message } = error instanceof ExchangeBroken ? error : explain(error, job, tally);
        tools.meter.note(`${message}\nRetrying in ${delayMs / 1000} s.`);
        await sleep(delayMs, undefined, { signal: tools.stop }).catch(() => {});
      }
      if (tools.stop.aborted) throw new ImportStopped(`Stopped. ${describeRest(job, tally)}`);
    }
  }
}

function mayPass(error: unknown, { hasBegun }: Tally): boolean {
  if (error instanceof ExchangeBroken) return true;
  if (error instanceof NoService) return hasBegun;
  // The service may not have noticed yet that an earlier run has ended.
  if (error instanceof KeyportError) return [409, 503].includes(error.status);
  return (
    error instanceof ImportRejected &&
    ['service-unavailable', 'request-timeout'].includes(error.envelope.error.code)
  );
}

function explain(error: unknown, job: ImportJob, tally: Tally): Error {
  if (error instanceof KeyportError) return new CommandFailure(describeRejection(error), { cause: error });
  if (error instanceof ImportRejected) {
    const { error: reason, traceId } = error.envelope;
    return new CommandFailure(describeRejection({ ...reason, traceId }), { cause: error });
  }
  if (!(error instanceof ExchangeBroken)) return error instanceof Error ? error : new Error(String(error));
  return new CommandFailure(`${error.message}. ${describeRest(job, tally)}`, { cause: error });
}

function describeRest({ dryRun, resumeHint }: ImportJob, { line }: Tally): string {
  if (dryRun) return 'It was a dry run; nothing was imported.';
  return `${line === 0 ? 'Nothing was imported.' : `Everything up to line ${line} is kept.`} ${resumeHint}`;
}

type Counts = Pick<ImportProgress, 'written' | 'unchanged' | 'rejected'>;
const NO_COUNTS = { written: 0, unchanged: 0, rejected: 0 };

class Tally {
  line = 0;
  unacknowledgedLine = 0;
  hasBegun = false;
  readonly #total = { ...NO_COUNTS };
  /** The counts of the current attempt, which the total includes. */
  #last: Counts = NO_COUNTS;
  readonly #errors: ImportResult['errors'] = [];

  get rejected(): number {
    return this.#total.rejected;
  }

  begin(): void {
    this.#last = NO_COUNTS;
  }

  /** Drops all counts, because the service begins from line 1 again. */
  forget(): void {
    Object.assign(this.#total, NO_COUNTS);
    this.#errors.length = 0;
    this.line = 0;
  }

  committed(progress: ImportProgress): void {
    this.line = progress.line;
    this.#add(progress);
  }

  rejectedLine(line: number, message: string): void {
    if (this.#errors.length < ERROR_COUNT_MAX) this.#errors.push({ line, message });
  }

  outcome(result: ImportResult): ImportResult {
    this.#add(result);
    const { written, unchanged, rejected } = this.#total;
    const skipped = result.read - written - unchanged - rejected;
    return { ...result, ...this.#total, skipped, errors: this.#errors };
  }

  #add(counts: Counts): void {
    this.#total.written += counts.written - this.#last.written;
    this.#total.unchanged += counts.unchanged - this.#last.unchanged;
    this.#total.rejected += counts.rejected - this.#last.rejected;
    this.#last = counts;
  }
}

async function attempt(
  job: ImportJob,
  tools: ImportTools,
  client: ApiClient,
  tally: Tally,
): Promise<ImportResult> {
  const { meter, stop } = tools;
  const sent = new SentLines();
  tally.begin();
  const transfer = await startTransfer(job, tools, client, {
    header: (bytes) => job.rejects?.setHeader(bytes),
    line: (line) => sent.add(line),
  });
  let isFirst = true;
  const onFirst = (event: ImportEvent) => {
    tally.hasBegun = true;
    if (!('committed' in event && event.committed.read === 0 && event.committed.line > 0)) {
      tally.forget();
      job.rejects?.clear();
      return;
    }
    const { line } = event.committed;
    if (tally.line === 0) meter.note(`Continuing after line ${line}, where this import stopped.`);
    tally.unacknowledgedLine = line;
    meter.resumeAt(line);
  };
  const onEvent = (event: ImportEvent): ImportResult | undefined => {
    if (isFirst) onFirst(event);
    isFirst = false;
    if ('rejected' in event) {
      const { line, message } = event.rejected;
      const found: Omit<SentLine, 'line'> = sent.find(line) ?? { bytes: undefined };
      job.rejects?.add(found, event.rejected);
      tally.rejectedLine(line, found.problem ?? message);
      return undefined;
    }
    if ('result' in event) return event.result;
    sent.forgetUpTo(event.committed.line);
    job.rejects?.write();
    tally.committed(event.committed);
    meter.committed(tally.line, tally.rejected);
    if (stop.aborted) transfer.exchange.cut();
    return undefined;
  };
  const result = await transfer.follow(onEvent);
  job.rejects?.write();
  return result;
}

type Transfer = {
  readonly exchange: Exchange;
  /** Returns the first result of `onEvent`. */
  follow(onEvent: (event: ImportEvent) => ImportResult | undefined): Promise<ImportResult>;
};

async function startTransfer(
  job: Omit<ImportJob, 'isRepeatable' | 'rejects'> & { readonly lastLine?: number },
  { meter, stop }: ImportTools,
  client: ApiClient,
  lines: Pick<Sender, 'header' | 'line'>,
): Promise<Transfer> {
  const closing = new AbortController();
  const source = await openImportSource(job.source, closing.signal, (sizeBytes) => meter.read(sizeBytes));
  meter.start(source.sizeBytes);
  const { importId, fileName, confirmRemovals } = job;
  const query = {
    importId,
    fileName,
    confirmRemovals,
    ...(job.dryRun ? { dryRun: 'true' } : {}),
    ...(job.deleteMissing ? { deleteMissing: 'true' } : {}),
  };
  const exchange = client.exchange(
    'importLines',
    { params: { kind: job.kind }, query },
    CONTENT_TYPES[job.mapping === undefined ? job.format : 'ndjson'],
  );
  let isPast = false;
  const isCut = () => exchange.isOver() || stop.aborted || closing.signal.aborted;
  const sender: Sender = {
    header: lines.header,
    line: (line) => {
      isPast ||= line.line > (job.lastLine ?? Number.POSITIVE_INFINITY);
      lines.line(line);
      meter.sent(line.line);
    },
    send: (bytes) => exchange.send(bytes),
    isOver: () => isPast || isCut(),
  };
  let sourceFailure: unknown;
  const forwarding =
    job.mapping === undefined
      ? forwardUnchanged(source.chunks, job.format, sender)
      : forwardMapped(source.chunks, job.mapping, sender);
  const sending = forwarding.then(
    () => {
      // A cut body must not look complete: the import would finish.
      if (!isCut()) exchange.end();
    },
    (error: unknown) => {
      if (!closing.signal.aborted) sourceFailure = error;
      exchange.cut();
    },
  );
  let grace: NodeJS.Timeout | undefined;
  const onStop = () => {
    grace = setTimeout(() => exchange.cut(), STOP_GRACE_MS);
  };
  stop.addEventListener('abort', onStop, { once: true });
  return {
    exchange,
    async follow(onEvent) {
      try {
        for await (const line of exchange.lines) {
          const event: ImportEvent | ErrorEnvelope = JSON.parse(line);
          if ('error' in event) throw new ImportRejected(event);
          const result = onEvent(event);
          if (result !== undefined) return result;
        }
        throw new ExchangeBroken('the response ended early');
      } catch (error) {
        throw sourceFailure ?? error;
      } finally {
        stop.removeEventListener('abort', onStop);
        clearTimeout(grace);
        closing.abort();
        exchange.cut();
        await sending;
      }
    },
  };
}

/** A connection that ended after a commit lost rejected lines; a dry run reports them again. */
async function recheck(
  job: ImportJob,
  tools: ImportTools,
  client: ApiClient,
  tally: Tally,
  result: ImportResult,
): Promise<void> {
  const { rejects, isRepeatable } = job;
  const missing = () => result.rejectedBefore + result.rejected - (rejects?.count ?? 0);
  if (rejects === undefined || missing() <= 0) return;
  if (isRepeatable && tally.unacknowledgedLine > 0) {
    tools.meter.note('Checking for lines that were rejected while the connection was lost.');
    const recorded = await rejects.recordedLines();
    const sent = new SentLines();
    const withoutEffect = {
      importId: undefined,
      dryRun: true,
      deleteMissing: false,
      confirmRemovals: undefined,
      lastLine: tally.unacknowledgedLine,
    };
    const transfer = await startTransfer({ ...job, ...withoutEffect }, tools, client, {
      header: (bytes) => rejects.setHeader(bytes),
      line: (line) => sent.add(line),
    });
    await transfer.follow((event) => {
      if ('result' in event) return event.result;
      if ('committed' in event) {
        sent.forgetUpTo(event.committed.line);
        rejects.write();
        return undefined;
      }
      const { line } = event.rejected;
      const isNew = line <= tally.unacknowledgedLine && !recorded.has(line);
      if (isNew) rejects.add(sent.find(line) ?? { bytes: undefined }, event.rejected);
      return undefined;
    });
    rejects.write();
  }
  if (missing() > 0) {
    tools.meter.note(
      `${missing()} rejected lines of an earlier part of this import are not in ${rejects.path}; ` +
        '--restart imports from line 1 and finds them.',
    );
  }
}

class ImportRejected extends Error {
  override readonly name = 'ImportRejected';
  readonly envelope: ErrorEnvelope;
  constructor(envelope: ErrorEnvelope) {
    super(envelope.error.message);
    this.envelope = envelope;
  }
}
