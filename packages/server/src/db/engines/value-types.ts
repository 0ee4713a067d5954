/**
 * An int8 must be a safe integer, so order ids are selected as text (A6). Times are PostgreSQL's own text,
 * because JavaScript dates lose microseconds.
 */
import { type CustomTypesConfig, types } from 'pg';

const asText = (value: string) => value;

function parseInt8(value: string): number {
  const number = Number(value);
  if (!Number.isSafeInteger(number))
    throw new RangeError(`int8 ${value} is not a safe integer; select it as text`);
  return number;
}

const { builtins, getTypeParser } = types;

const TEXT_ARRAY: number = 1009;
const INT8_ARRAY = 1016;
const TIMESTAMP_ARRAY = 1115;
const DATE_ARRAY = 1182;
const TIMESTAMPTZ_ARRAY = 1185;

const parseTextArray: (value: string) => (string | null)[] = getTypeParser(TEXT_ARRAY);

const PARSERS = new Map<number, (value: string) => unknown>([
  [builtins.INT8, parseInt8],
  [builtins.NUMERIC, asText],
  [builtins.DATE, asText],
  [builtins.TIMESTAMP, asText],
  [builtins.TIMESTAMPTZ, asText],
  [
    INT8_ARRAY,
    (value) => parseTextArray(value).map((element) => (element === null ? null : parseInt8(element))),
  ],
  [DATE_ARRAY, parseTextArray],
  [TIMESTAMP_ARRAY, parseTextArray],
  [TIMESTAMPTZ_ARRAY, parseTextArray],
]);

/** `types.setTypeParser` would affect every user of node-postgres in the process. */
export const TYPES: CustomTypesConfig = {
  getTypeParser: (oid: number, format?: 'text' | 'binary') =>
    (format === 'binary' ? undefined : PARSERS.get(oid)) ?? getTypeParser(oid, format),
};
