/**
 * Contexts are not in the library's process-wide registry, so that services in one process do not share
 * them. Spans wait in a bounded queue: a slow collector loses spans but delays no request. A112.
 */
import { AsyncLocalStorage } from 'node:async_hooks';
import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import type { RequestRecord, RequestTracing } from '@keyport/http/server/request-record';
import { newTraceId, parseTraceparent } from '@keyport/http/server/trace-id';
import {
  type Context,
  DiagLogLevel,
  diag,
  ROOT_CONTEXT,
  SamplingDecision,
  type Span,
  type SpanContext,
  SpanKind,
  SpanStatusCode,
  TraceFlags,
  trace,
} from '@opentelemetry/api';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { resourceFromAttributes } from '@opentelemetry/resources';
import {
  BatchSpanProcessor,
  ParentBasedSampler,
  type Sampler,
  TraceIdRatioBasedSampler,
  TracerProvider,
} from '@opentelemetry/sdk-trace';
import {
  ATTR_ERROR_TYPE,
  ATTR_HTTP_REQUEST_METHOD,
  ATTR_HTTP_RESPONSE_STATUS_CODE,
  ATTR_HTTP_ROUTE,
  ATTR_SERVICE_NAME,
  ATTR_SERVICE_VERSION,
} from '@opentelemetry/semantic-conventions';
import type { Logger } from 'pino';
import type { SpanDetails, Tracer } from '../in-span.ts';

/** The spans of a few seconds on a busy node; further spans are dropped. */
const QUEUE_SIZE_MAX = 4096;
const BATCH_SIZE_MAX = 512;
const SEND_INTERVAL_MS = 2_000;
const SEND_TIMEOUT_MS = 5_000;
const CLOSE_WAIT_MS = 2_000;
const WARNING_INTERVAL_MS = 60_000;

export type TracingOptions = {
  readonly url: string;
  /** The share of the traces begun here that is recorded, 0 to 1. */
  readonly ratio: number;
  readonly version: string;
  readonly log: Logger;
};

export type Tracing = Tracer & {
  readonly requests: RequestTracing;
  close(): Promise<void>;
};

export function openTracing({ url, ratio, version, log }: TracingOptions): Tracing {
  warnOfFailures(log);
  const provider = new TracerProvider({
    resource: resourceFromAttributes({
      [ATTR_SERVICE_NAME]: 'keyport',
      [ATTR_SERVICE_VERSION]: version,
      'service.instance.id': randomUUID(),
    }),
    sampler: buildSampler(ratio),
    idGenerator: { generateTraceId: newTraceId, generateSpanId: () => newTraceId().slice(0, 16) },
    spanProcessors: [
      new BatchSpanProcessor({
        exporter: new OTLPTraceExporter({ url: `${url}/v1/traces`, timeoutMillis: SEND_TIMEOUT_MS }),
        maxQueueSize: QUEUE_SIZE_MAX,
        maxExportBatchSize: BATCH_SIZE_MAX,
        scheduledDelayMillis: SEND_INTERVAL_MS,
        exportTimeoutMillis: SEND_TIMEOUT_MS,
      }),
    ],
  });
  const tracer = provider.getTracer('keyport', version);
  const contexts = new AsyncLocalStorage<Context>();

  function inSpan<T>(name: string, work: () => Promise<T>, details: SpanDetails = {}): Promise<T> {
    const { attributes = {}, extent = 'part', causes } = details;
    const isWhole = extent === 'whole' || causes !== undefined;
    const around = isWhole ? ROOT_CONTEXT : contexts.getStore();
    if (around === undefined) return work();
    // No traced request waits for this work.
    if (causes?.length === 0) return contexts.run(untracedContext(), work);
    const links = (causes ?? []).map((cause) => ({ context: { ...cause, traceFlags: TraceFlags.SAMPLED } }));
    const span = tracer.startSpan(name, { attributes, links }, around);
    return contexts.run(trace.setSpan(around, span), () => endWith(span, work));
  }

  const spans = new WeakMap<IncomingMessage, Span>();
  const requests: RequestTracing = {
    begin(request, serve) {
      const parent = remoteParent(request);
      const around = parent === undefined ? ROOT_CONTEXT : trace.setSpanContext(ROOT_CONTEXT, parent);
      const span = tracer.startSpan(request.method ?? 'GET', { kind: SpanKind.SERVER }, around);
      spans.set(request, span);
      contexts.run(trace.setSpan(around, span), serve);
    },
    toTraceId: (request) => spans.get(request)?.spanContext().traceId ?? newTraceId(),
    onRequestEnd(record, request) {
      const span = request === undefined ? undefined : spans.get(request);
      if (span !== undefined) endRequest(span, record);
    },
  };

  return {
    inSpan,
    current() {
      const context = contexts.getStore();
      const span = context === undefined ? undefined : trace.getSpan(context);
      if (span?.isRecording() !== true) return undefined;
      const { traceId, spanId } = span.spanContext();
      return { traceId, spanId };
    },
    requests,
    close: () =>
      Promise.race([
        // The exporter logs unsent spans.
        provider.shutdown().catch(() => {}),
        sleep(CLOSE_WAIT_MS, undefined, { ref: false }),
      ]),
  };
}

function buildSampler(ratio: number): Sampler {
  const byRatio = new TraceIdRatioBasedSampler(ratio);
  const root: Sampler = {
    shouldSample: (context, traceId, _name, _kind, _attributes, links) =>
      links.length > 0
        ? { decision: SamplingDecision.RECORD_AND_SAMPLED }
        : byRatio.shouldSample(context, traceId),
    toString: () => `links, or ${byRatio}`,
  };
  return new ParentBasedSampler({ root });
}

function remoteParent({ headers: { traceparent } }: IncomingMessage): SpanContext | undefined {
  const parent = typeof traceparent === 'string' ? parseTraceparent(traceparent) : undefined;
  if (parent === undefined) return undefined;
  const { traceId, parentId, isSampled } = parent;
  const traceFlags = isSampled ? TraceFlags.SAMPLED : TraceFlags.NONE;
  return { traceId, spanId: parentId, traceFlags, isRemote: true };
}

function untracedContext(): Context {
  const traceId = newTraceId();
  const unsampled = { traceId, spanId: traceId.slice(0, 16), traceFlags: TraceFlags.NONE };
  return trace.setSpanContext(ROOT_CONTEXT, unsampled);
}

async function endWith<T>(span: Span, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    // Error messages can contain a caller's text.
    span.setAttribute(ATTR_ERROR_TYPE, toKind(error));
    span.setStatus({ code: SpanStatusCode.ERROR });
    throw error;
  } finally {
    span.end();
  }
}

/** SQLSTATE, system error or our error code; otherwise the class. */
function toKind(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown';
  return 'code' in error && typeof error.code === 'string' ? error.code : error.name;
}

function endRequest(span: Span, { method, route, status, code, clientId }: RequestRecord): void {
  span.updateName(`${method} ${route}`);
  span.setAttributes({
    [ATTR_HTTP_REQUEST_METHOD]: method,
    [ATTR_HTTP_ROUTE]: route,
    [ATTR_HTTP_RESPONSE_STATUS_CODE]: status,
    ...(clientId === undefined ? {} : { 'keyport.client_id': clientId }),
    ...(code === undefined ? {} : { [ATTR_ERROR_TYPE]: code }),
  });
  if (status >= 500) span.setStatus({ code: SpanStatusCode.ERROR });
  span.end();
}

/** For all services in this process, because the library's diagnostics are process-wide. */
function warnOfFailures(log: Logger): void {
  let silentUntilMs = 0;
  const warn = () => {
    if (performance.now() < silentUntilMs) return;
    silentUntilMs = performance.now() + WARNING_INTERVAL_MS;
    log.warn('traces dropped: the collector does not accept them, or there are too many');
  };
  const silent = () => {};
  diag.setLogger(
    { error: warn, warn, info: silent, debug: silent, verbose: silent },
    { logLevel: DiagLogLevel.WARN, suppressOverrideMessage: true },
  );
}
