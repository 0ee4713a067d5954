/** For our own bugs, never for invalid input. Messages are logged: no secrets, no product keys. */

export function assert(condition: boolean, message: string): asserts condition {
  if (!condition) throw new Error(`Assertion failed: ${message}`);
}

/** Throws on undefined and null, not on 0, '' and false. */
export function must<T>(value: T | undefined | null, message: string): T {
  if (value === undefined || value === null) throw new Error(`Missing value: ${message}`);
  return value;
}

export function assertNever(value: never): never {
  throw new Error(`Unreachable value: ${String(value)}`);
}
