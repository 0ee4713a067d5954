/**
 * The seam to tracing: a piece of work with a name. What uses it knows nothing of traces, and where nothing is traced it
 * costs a call. tracing/tracing.ts has the other side.
 */

/** Runs the work as a part of whatever is under way. The result is the work's own. */
export type InSpan = <T>(name: string, work: () => Promise<T>, details?: SpanDetails) => Promise<T>;

export type SpanDetails = {
  /** Never anything secret or anything of a caller's body. */
  readonly attributes?: Readonly<Record<string, string | number>>;
  /** `part` (when absent): of what is under way; nothing when that is not traced. `whole`: a trace of its own. */
  readonly extent?: 'part' | 'whole';
  /** Work for several others at once, which are all linked; it is traced when one of them is. */
  readonly causes?: readonly Cause[];
};

/** A piece of work that is traced, as far as others have to know it. */
export type Cause = { readonly traceId: string; readonly spanId: string };

export type Tracer = {
  readonly inSpan: InSpan;
  /** What is under way now; undefined when it is not traced. */
  readonly current: () => Cause | undefined;
};

export const untraced: Tracer = { inSpan: (_name, work) => work(), current: () => undefined };
