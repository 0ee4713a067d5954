/** `Rejection` is a closed union. */
export type Outcome<Value, Rejection> =
  | { readonly ok: true; readonly value: Value }
  | { readonly ok: false; readonly rejection: Rejection };
