import { MICROS_PER_DAY, MICROS_PER_HOUR } from '@keyport/core/date-time';
import { invalidField } from '@keyport/http/replies/api-error';
import { parseTime } from '@keyport/http/validation/query';

export type SumRange = {
  readonly bucket: 'hour' | 'day';
  /** The start of the first bucket, and of the first bucket after the range. */
  readonly fromMicros: number;
  readonly beforeMicros: number;
};

export const BUCKET_MICROS = { hour: MICROS_PER_HOUR, day: MICROS_PER_DAY } as const;

const DEFAULT_COUNT = { hour: 24, day: 30 } as const;

/** A month of hours, or more than a year of days. */
const COUNT_MAX = { hour: 744, day: 400 } as const;

const DAY = /^\d{4}-\d{2}-\d{2}$/;

/** `time` is added to a date without a time. */
function readMoment(field: string, text: string | undefined, time: string): number | undefined {
  return parseTime(field, text !== undefined && DAY.test(text) ? `${text}T${time}Z` : text);
}

/** Whole buckets from `from` to `to`; `to` defaults to now. */
export function readSumRange(
  query: { readonly from?: string; readonly to?: string; readonly bucket?: 'hour' | 'day' },
  nowMicros: number,
): SumRange {
  const { bucket = 'hour' } = query;
  const length = BUCKET_MICROS[bucket];
  const toStart = (micros: number) => Math.floor(micros / length) * length;
  const last = toStart(readMoment('query.to', query.to, '23:59:59') ?? nowMicros);
  const from = readMoment('query.from', query.from, '00:00:00');
  const fromMicros = from === undefined ? last - (DEFAULT_COUNT[bucket] - 1) * length : toStart(from);
  if (fromMicros > last) throw invalidField('query.to', 'must not be before from');
  const count = (last - fromMicros) / length + 1;
  if (count > COUNT_MAX[bucket])
    throw invalidField(
      'query.from',
      `must be at most ${COUNT_MAX[bucket]} ${bucket}s before to; request a shorter period${bucket === 'hour' ? ' or bucket=day' : ''}`,
    );
  return { bucket, fromMicros, beforeMicros: last + length };
}
