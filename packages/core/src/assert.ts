/**
 * Assertions for what cannot happen. A failure here is a fault of ours: it aborts the work in hand and becomes
 * internal-server-error. Never use these for input or for a rejection of the business: those are values.
 * Messages go to the log, so they must not carry secrets or product keys.
 */

/** Throws when `condition` is false, and narrows types where it is true. */
export function assert(condition: boolean, message: string): asserts condition {
  if (!condition) throw new Error(`Assertion failed: ${message}`);
}

/** The value itself, once it is known to be defined; throws on undefined and null, not on 0, '' and false. */
export function must<T>(value: T | undefined | null, message: string): T {
  if (value === undefined || value === null) throw new Error(`Missing value: ${message}`);
  return value;
}

export function unreachable(value: never): never {
  throw new Error(`Unreachable value: ${String(value)}`);
}
