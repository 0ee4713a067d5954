/** A value, or a rejection from a closed union with its facts. */
export type Outcome<Value, Rejection> =
  | { readonly ok: true; readonly value: Value }
  | { readonly ok: false; readonly rejection: Rejection };
