/** A value, or a rejection with its facts from a closed union. */
export type Outcome<Value, Rejection> =
  | { readonly ok: true; readonly value: Value }
  | { readonly ok: false; readonly rejection: Rejection };
