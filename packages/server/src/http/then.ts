/** Goes on with a value, at once when it is there: makes no promise where nothing has to be waited for. */
export function then<Value, Next>(
  value: Value | Promise<Value>,
  next: (value: Value) => Next | Promise<Next>,
): Next | Promise<Next> {
  return value instanceof Promise ? value.then(next) : next(value);
}
