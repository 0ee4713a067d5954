/** A field gets one message, from `x-rule`, without its value. Types are not coerced. R2, A9 to A11. */
import type { SubError } from '@keyport/contract/envelope';
import { isDate, parseDateTime } from '@keyport/core/date-time';
import { findInvisible, trimInvisible } from '@keyport/core/invisible';
import { Ajv, type ErrorObject, type ValidateFunction } from 'ajv';
import { type TObject, type TSchema, Type } from 'typebox';
import { ApiError } from '../replies/api-error.ts';
import { brokenRule, compileQueryParser, type FieldProblem, type ParsedQuery } from './query.ts';

export type Check = (value: unknown) => readonly FieldProblem[];

const PROBLEMS_MAX = 20;
/** A body of 64 KiB can cause tens of thousands of errors. */
const ERRORS_READ_MAX = 500;
const NAME_LENGTH_MAX = 40;

const ajv = buildAjv();

/** Compiles at the first use: a start would compile for a third of a second. */
export function compileCheck(schema: TSchema, root: string): Check {
  let validate: ValidateFunction | undefined;
  return (value) => {
    validate ??= ajv.compile(schema);
    return validate(value) ? [] : describeErrors(validate.errors ?? [], root);
  };
}

export function compileQueryCheck(schema: TObject = Type.Object({})): (queryText: string) => ParsedQuery {
  const parse = compileQueryParser(schema);
  const check = compileCheck(schema, 'query');
  return (queryText) => {
    const parsed = parse(queryText);
    const { values, problems } = parsed;
    const broken = check(values);
    if (broken.length === 0) return parsed;
    const more = broken.filter((problem) => !problems.some(({ field }) => field === problem.field));
    return { ...parsed, problems: [...problems, ...more] };
  };
}

export function validationError(problems: readonly FieldProblem[]): ApiError {
  const errors = problems
    .slice(0, PROBLEMS_MAX)
    .map(({ field, message }): SubError => ({ code: 'validation-error', field, message }));
  return new ApiError('validation-error', errors[0] && { message: errors[0].message, errors });
}

function buildAjv(): Ajv {
  const instance = new Ajv({ allErrors: true, verbose: true, strict: true, useDefaults: true });
  instance.addKeyword('x-rule');
  instance.addFormat('date-time', (text: string) => parseDateTime(text).ok);
  instance.addFormat('date', isDate);
  instance.addFormat('printable', (text: string) => !/\p{C}/u.test(text));
  instance.addFormat('filled', (text: string) => trimInvisible(text) !== '');
  instance.addFormat('unambiguous', isUnambiguous);
  instance.addFormat('uri', isWebUrl);
  return instance;
}

function isUnambiguous(text: string): boolean {
  const hasOtherForm = text !== text.normalize() || /^ | {2}| $/.test(text);
  return !hasOtherForm && findInvisible(text) === undefined && !/\p{C}/u.test(text);
}

/** A `javascript:` link in a catalogue would run in a reseller's page. */
function isWebUrl(text: string): boolean {
  return /^https?:\/\/[^\s\p{C}]+$/iu.test(text) && URL.canParse(text);
}

function describeErrors(errors: readonly ErrorObject[], root: string): FieldProblem[] {
  const rules = new Map<string, string>();
  const undecided = new Set<string>();
  for (const error of errors.slice(0, ERRORS_READ_MAX)) {
    const parent = formatPath(root, error.instancePath);
    const { field, rule } = describeError(error, parent);
    if (rule === undefined) continue;
    if (error.keyword === 'minProperties' || error.keyword === 'maxProperties') undecided.add(field);
    // The alternatives' errors come first and are more precise.
    if (error.keyword === 'anyOf' && ruleIn(error.parentSchema) === undefined && hasAtOrBelow(rules, field))
      continue;
    if (!rules.has(field) || error.keyword === 'anyOf') rules.set(field, rule);
  }
  return Array.from(rules, ([field, rule]) => brokenRule(field, rule)).filter(
    ({ field }) => !Array.from(undecided).some((parent) => isBelow(field, parent)),
  );
}

function describeError(error: ErrorObject, at: string): { field: string; rule?: string | undefined } {
  const { params, parentSchema } = error;
  switch (error.keyword) {
    case 'required': {
      const name = String(params['missingProperty']);
      const rule = ruleIn(parentSchema?.['properties']?.[name]);
      return {
        field: `${at}.${showName(name)}`,
        rule: `is required${rule === undefined ? '' : ` and ${rule}`}`,
      };
    }
    case 'additionalProperties':
      // If exactly one member is required, the choice is wrong, not the name.
      return parentSchema?.['maxProperties'] === undefined
        ? {
            field: `${at}.${showName(String(params['additionalProperty']))}`,
            rule: 'is not a known field; remove it',
          }
        : { field: at, rule: toRule(parentSchema) };
    case 'type':
      if (params['type'] === 'null') return { field: at };
      break;
    case 'format':
      if (params['format'] === 'date-time') return { field: at, rule: dateTimeRule(error) };
      break;
  }
  const isBranch = /\/anyOf\/[0-9]+\/[^/]+$/.test(error.schemaPath);
  return { field: at, rule: `${toRule(parentSchema)}${isBranch ? ', or null' : ''}${hiddenIn(error)}` };
}

const OF_TEXT = ['enum', 'const', 'pattern', 'format', 'anyOf'];

/** A value with a character that cannot be seen looks as if it were right. */
function hiddenIn({ keyword, data }: ErrorObject): string {
  if (typeof data !== 'string' || !OF_TEXT.includes(keyword)) return '';
  const found = findInvisible(data) ?? (/^ | $/.test(data) ? 'a space at an end' : undefined);
  return found === undefined ? '' : `; it has ${found}`;
}

function dateTimeRule(error: ErrorObject): string {
  const parsed = parseDateTime(String(error.data));
  return parsed.ok ? toRule(error.parentSchema) : `is not a valid date-time: ${parsed.reason}`;
}

function ruleIn(schema: Readonly<Record<string, unknown>> | undefined): string | undefined {
  const rule = schema?.['x-rule'];
  return typeof rule === 'string' ? rule : undefined;
}

function toRule(schema: Readonly<Record<string, unknown>> = {}): string {
  const rule = ruleIn(schema);
  if (rule !== undefined) return rule;
  const { type, format, minLength, maxLength, minItems, maxItems } = schema;
  if (format === 'uri') return 'must be an absolute http or https URL';
  if (type === 'string') return `must be text${bounds(minLength, maxLength, 'characters')}`;
  if (type === 'array') return `must be a list${bounds(minItems, maxItems, 'elements')}`;
  return RULES[String(type)] ?? 'has a value that is not allowed';
}

const RULES: Readonly<Record<string, string>> = {
  integer: 'must be a whole number',
  boolean: 'must be true or false',
  object: 'must be an object',
};

function bounds(min: unknown, max: unknown, unit: string): string {
  if (typeof max === 'number') return ` of ${typeof min === 'number' ? min : 0} to ${max} ${unit}`;
  return typeof min === 'number' ? ` of at least ${min} ${unit}` : '';
}

function formatPath(root: string, pointer: string): string {
  let path = root;
  for (const token of pointer.split('/').slice(1)) {
    const isIndex = /^[0-9]+$/.test(token);
    if (isIndex) path = `${path.replace(/\[\]$/, '')}[${token}]`;
    else path += `.${showName(token.replaceAll('~1', '/').replaceAll('~0', '~'))}`;
  }
  return path;
}

function showName(name: string): string {
  const visible = name.replace(/\p{C}/gu, '?');
  return visible.length <= NAME_LENGTH_MAX ? visible : `${visible.slice(0, NAME_LENGTH_MAX).toWellFormed()}…`;
}

function hasAtOrBelow(rules: ReadonlyMap<string, string>, field: string): boolean {
  return rules.has(field) || Array.from(rules.keys()).some((other) => isBelow(other, field));
}

function isBelow(field: string, parent: string): boolean {
  return field.startsWith(`${parent}.`) || field.startsWith(`${parent}[`);
}
