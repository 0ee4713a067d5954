/**
 * Compares the medians of the first and the last quarter, because memory rises and falls between two
 * collections. The first samples, taken while caches fill, are left out.
 */

/** A share of the first quarter, or at least an absolute amount. */
export type Allowance = { readonly share: number; readonly atLeast: number };

export type Trend = {
  readonly first: number;
  readonly last: number;
  /** The slope of the line through all samples. */
  readonly perHour: number;
  readonly limit: number;
  readonly isFlat: boolean;
};

export type Point = { readonly seconds: number; readonly value: number };

/** Judges the points without those of the warm-up. */
export function judge(points: readonly Point[], { share, atLeast }: Allowance): Trend {
  if (points.length < 8) throw new Error(`${points.length} samples are too few to tell a slope from noise`);
  const quarter = Math.floor(points.length / 4);
  const first = median(points.slice(0, quarter));
  const last = median(points.slice(-quarter));
  const limit = first + Math.max(first * share, atLeast);
  return { first, last, perHour: slopeOf(points) * 3600, limit, isFlat: last <= limit };
}

function median(points: readonly Point[]): number {
  const values = points.map(({ value }) => value).sort((left, right) => left - right);
  return values[Math.floor(values.length / 2)] ?? 0;
}

function slopeOf(points: readonly Point[]): number {
  const meanTime = mean(points.map(({ seconds }) => seconds));
  const meanValue = mean(points.map(({ value }) => value));
  let covariance = 0;
  let variance = 0;
  for (const { seconds, value } of points) {
    covariance += (seconds - meanTime) * (value - meanValue);
    variance += (seconds - meanTime) ** 2;
  }
  return variance === 0 ? 0 : covariance / variance;
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}
