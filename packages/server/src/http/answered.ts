/** What the log and the metrics are told of every request once it is answered, whichever way it took. */

export type AnsweredRequest = {
  readonly method: string;
  /** The path as the contract writes it, parameters in braces; never the URL itself. */
  readonly route: string;
  readonly status: number;
  readonly durationMs: number;
  readonly traceId: string;
  /** Undefined: nobody who was known. */
  readonly clientId: string | undefined;
};

export type OnAnswered = (request: AnsweredRequest) => void;
