/** Runs the work in a named span and returns its result. */
export type InSpan = <T>(name: string, work: () => Promise<T>, details?: SpanDetails) => Promise<T>;

export type SpanDetails = {
  /** Must not contain a secret or any part of a request body. */
  readonly attributes?: Readonly<Record<string, string | number>>;
  /** `part` (default) belongs to the current span, if traced; `whole` starts a new trace. */
  readonly extent?: 'part' | 'whole';
  /** The spans that this work serves: all are linked, and the work is traced if any of them is. */
  readonly causes?: readonly Cause[];
};

export type Cause = { readonly traceId: string; readonly spanId: string };

export type Tracer = {
  readonly inSpan: InSpan;
  readonly current: () => Cause | undefined;
};

export const untraced: Tracer = { inSpan: (_name, work) => work(), current: () => undefined };
