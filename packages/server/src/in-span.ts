/**
 * The interface to tracing: work with a name. Without tracing it costs a call. Implemented in
 * tracing/tracing.ts.
 */

/** Runs the work as a part of the current span, with the work's own result. */
export type InSpan = <T>(name: string, work: () => Promise<T>, details?: SpanDetails) => Promise<T>;

export type SpanDetails = {
  /** Never anything secret or anything of a caller's body. */
  readonly attributes?: Readonly<Record<string, string | number>>;
  /** `part` (default): of the current span, if it is traced. `whole`: a new trace. */
  readonly extent?: 'part' | 'whole';
  /** Work for several others at once, which are all linked; it is traced when one of them is. */
  readonly causes?: readonly Cause[];
};

/** The part of a span that callers see. */
export type Cause = { readonly traceId: string; readonly spanId: string };

export type Tracer = {
  readonly inSpan: InSpan;
  /** The current span; undefined when it is not traced. */
  readonly current: () => Cause | undefined;
};

export const untraced: Tracer = { inSpan: (_name, work) => work(), current: () => undefined };
