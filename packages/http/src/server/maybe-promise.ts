/** A read from memory ends in one turn of the event loop, without a promise. */
export type MaybePromise<T> = T | Promise<T>;

export function chain<Value, Next>(
  value: MaybePromise<Value>,
  next: (value: Value) => MaybePromise<Next>,
): MaybePromise<Next> {
  return value instanceof Promise ? value.then(next) : next(value);
}
