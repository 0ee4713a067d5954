/** Which buckets a time range touches. Pure. A360. */
import { invalidField } from '../http/api-error.ts';
import { parseTime } from '../http/query.ts';
import type { SumRange } from './summary.sql.ts';

const HOUR_MICROS = 3_600_000_000;
export const BUCKET_MICROS = { hour: HOUR_MICROS, day: 24 * HOUR_MICROS } as const;

const DEFAULT_COUNT = { hour: 24, day: 30 } as const;

/** Buckets of one answer: a month of hours, and a year of days with some to spare. */
const COUNT_MAX = { hour: 744, day: 400 } as const;

/** Whole buckets from the one that holds `from` to the one that holds `to`; `to` is now unless it is given. */
export function readSumRange(
  query: { readonly from?: string; readonly to?: string; readonly bucket?: 'hour' | 'day' },
  nowMicros: number,
): SumRange {
  const { bucket = 'hour' } = query;
  const length = BUCKET_MICROS[bucket];
  const beginOf = (micros: number) => Math.floor(micros / length) * length;
  const last = beginOf(parseTime('query.to', query.to) ?? nowMicros);
  const from = parseTime('query.from', query.from);
  const fromMicros = from === undefined ? last - (DEFAULT_COUNT[bucket] - 1) * length : beginOf(from);
  if (fromMicros > last) throw invalidField('query.to', 'must not be before from');
  const count = (last - fromMicros) / length + 1;
  if (count > COUNT_MAX[bucket])
    throw invalidField(
      'query.from',
      `must be at most ${COUNT_MAX[bucket]} ${bucket}s before to; ask for a shorter time${bucket === 'hour' ? ' or for days' : ''}`,
    );
  return { bucket, fromMicros, beforeMicros: last + length };
}
