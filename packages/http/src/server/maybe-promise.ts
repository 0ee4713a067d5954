/** A read from memory is answered in one turn of the event loop: no promise is made where there is nothing to wait for. */
export type MaybePromise<T> = T | Promise<T>;

export function chain<Value, Next>(
  value: MaybePromise<Value>,
  next: (value: Value) => MaybePromise<Next>,
): MaybePromise<Next> {
  return value instanceof Promise ? value.then(next) : next(value);
}
