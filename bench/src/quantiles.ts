/** Returns the value below which a share of the values lies (0.99: p99); 0 without values. Sorts once. */
export function quantiles(values: readonly number[]): (share: number) => number {
  const inOrder = [...values].sort((left, right) => left - right);
  return (share) => inOrder[Math.min(inOrder.length - 1, Math.floor(inOrder.length * share))] ?? 0;
}
