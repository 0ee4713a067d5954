/** Returns a function from a share (0.99: p99) to the value below which that share lies; 0 without values. */
export function quantiles(values: readonly number[]): (share: number) => number {
  const inOrder = [...values].sort((left, right) => left - right);
  return (share) => inOrder[Math.min(inOrder.length - 1, Math.floor(inOrder.length * share))] ?? 0;
}
