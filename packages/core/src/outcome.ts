/** The result of a decision: a value, or a rejection from a closed union with its facts. Never an exception. */
export type Outcome<Value, Rejection> =
  | { readonly ok: true; readonly value: Value }
  | { readonly ok: false; readonly rejection: Rejection };
