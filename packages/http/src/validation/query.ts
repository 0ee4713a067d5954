/** Ignores unknown names, with a hint if they resemble known ones. Lists are `name[]` or `name[0]`. A10. */
import { parseDateTime } from '@keyport/core/date-time';
import { distance } from 'fastest-levenshtein';
import type { TObject } from 'typebox';
import { invalidField } from '../replies/api-error.ts';

export type FieldProblem = { readonly field: string; readonly message: string };

export function brokenRule(field: string, rule: string): FieldProblem {
  return { field, message: `${field} ${rule}.` };
}

export function parseTime(field: string, text: string): number;
export function parseTime(field: string, text: string | undefined): number | undefined;
export function parseTime(field: string, text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const parsed = parseDateTime(text);
  if (!parsed.ok) throw invalidField(field, parsed.reason);
  return parsed.epochMicros;
}

export type TimeRange = { readonly fromMicros: number | undefined; readonly toMicros: number | undefined };

export function parseTimeRange<From extends string, To extends string>(
  query: { readonly [Name in From | To]?: string },
  fromName: From,
  toName: To,
): TimeRange {
  const fromMicros = parseTime(`query.${fromName}`, query[fromName]);
  const toMicros = parseTime(`query.${toName}`, query[toName]);
  if (fromMicros !== undefined && toMicros !== undefined && fromMicros > toMicros)
    throw invalidField(`query.${toName}`, `must not be before ${fromName}`);
  return { fromMicros, toMicros };
}

export type ParsedQuery = {
  readonly values: Readonly<Record<string, unknown>>;
  readonly problems: readonly FieldProblem[];
  readonly hints: readonly string[];
};

type Kind = 'text' | 'whole-number' | 'list';

/** No sign, leading zero, exponent or blank. Longer numbers are above every bound. */
const WHOLE_NUMBER = /^(?:0|[1-9][0-9]{0,14})$/;

const ENCODED = /[+%]/;
const LIST_SUFFIX = '[]';
const LIST_INDEX = /\[[0-9]{1,5}\]$/;

export function compileQueryParser(schema: TObject): (queryText: string) => ParsedQuery {
  const kinds = new Map(
    Object.entries(schema.properties).map(([name, property]) => [name, toKind(property)]),
  );
  return (queryText) =>
    queryText === '' ? { values: {}, problems: [], hints: [] } : parse(queryText, kinds);
}

export function toQueryText(url: string): string {
  const start = url.indexOf('?');
  if (start === -1) return '';
  const end = url.indexOf('#', start);
  return end === -1 ? url.slice(start + 1) : url.slice(start + 1, end);
}

function toKind(property: unknown): Kind {
  const type = typeof property === 'object' && property !== null && 'type' in property ? property.type : '';
  if (type === 'array') return 'list';
  return type === 'integer' ? 'whole-number' : 'text';
}

function parse(queryText: string, kinds: ReadonlyMap<string, Kind>): ParsedQuery {
  // Only the schema's names become members, so none reaches the prototype.
  const values: Record<string, unknown> = {};
  const problems: FieldProblem[] = [];
  const hints: string[] = [];
  const isPlain = !ENCODED.test(queryText);
  const { length } = queryText;
  for (let start = 0, end = 0; start <= length; start = end + 1) {
    end = queryText.indexOf('&', start);
    if (end === -1) end = length;
    const separator = queryText.indexOf('=', start);
    const nameEnd = separator === -1 || separator > end ? end : separator;
    const sent = decode(queryText.slice(start, nameEnd), isPlain);
    if (sent === undefined) continue;
    const name = kinds.has(sent) ? sent : toListName(sent, kinds);
    const kind = kinds.get(name);
    if (kind === undefined) {
      const problem = findMisspelling(name, kinds);
      if (problem !== undefined) problems.push(problem);
      else if (hints.length < HINTS_MAX) hints.push(toHint(name, kinds));
      else if (hints.length === HINTS_MAX) hints.push('More unknown query parameters were ignored');
      continue;
    }
    const text = decode(queryText.slice(Math.min(nameEnd + 1, end), end), isPlain);
    const rule =
      text === undefined ? 'has an encoding that is invalid or not allowed' : add(values, name, kind, text);
    if (rule !== undefined) problems.push(brokenRule(`query.${name}`, rule));
  }
  return { values, problems, hints };
}

/** Returns `productIds[]` for `productIds[3]`, the form of PHP and axios. */
function toListName(name: string, kinds: ReadonlyMap<string, Kind>): string {
  const listName = name.replace(LIST_INDEX, LIST_SUFFIX);
  return kinds.get(listName) === 'list' ? listName : name;
}

function add(values: Record<string, unknown>, name: string, kind: Kind, text: string): string | undefined {
  const before = values[name];
  if (kind === 'list') {
    if (text.includes(','))
      return `must be given once for each value, as ${name}=…&${name}=…, not as one list with commas`;
    if (Array.isArray(before)) before.push(text);
    else values[name] = [text];
    return undefined;
  }
  if (before !== undefined) return 'must be given once';
  values[name] = kind === 'whole-number' && WHOLE_NUMBER.test(text) ? Number(text) : text;
  return undefined;
}

/** Ignoring wrong brackets would return different data. */
function findMisspelling(name: string, kinds: ReadonlyMap<string, Kind>): FieldProblem | undefined {
  const bracket = name.indexOf('[');
  const base = bracket === -1 ? name : name.slice(0, bracket);
  if (kinds.has(`${base}${LIST_SUFFIX}`)) {
    return brokenRule(`query.${base}[]`, `must be written ${base}[]=…, once for each value`);
  }
  return kinds.has(base) ? brokenRule(`query.${base}`, 'must be written without brackets') : undefined;
}

const HINTS_MAX = 10;
const SHOWN_LENGTH_MAX = 40;

/** Shows no character that a header cannot contain. */
function toHint(name: string, kinds: ReadonlyMap<string, Kind>): string {
  const shown = name.slice(0, SHOWN_LENGTH_MAX).replaceAll(/[^\w.[\]-]/g, '?');
  const plain = (text: string) => text.toLowerCase().replaceAll(/[^a-z0-9]/g, '');
  const errorsMax = shown.length < 5 ? 1 : 2;
  const [nearest] = Array.from(kinds.keys(), (known) => ({
    known,
    errors: distance(plain(shown), plain(known)),
  })).sort((one, other) => one.errors - other.errors);
  const isClose = shown.length > 2 && nearest !== undefined && nearest.errors <= errorsMax;
  return `query.${shown} is unknown and was ignored${isClose ? `; did you mean ${nearest.known}?` : ''}`;
}

/** Decodes + as a blank. Returns undefined for invalid encodings and NUL, which PostgreSQL rejects. */
function decode(text: string, isPlain: boolean): string | undefined {
  if (isPlain) return text;
  try {
    const decoded = decodeURIComponent(text.replaceAll('+', ' '));
    return decoded.includes('\u0000') ? undefined : decoded;
  } catch {
    return undefined;
  }
}
