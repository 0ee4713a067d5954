/** The form of a body: fields with the contract's labels, whose values its schema reads and limits. */
import type { FormField } from '@keyport/contract/form-fields';
import { common } from '../texts.ts';
import { wordRule } from '../ui/wording.ts';
import { amountProblem, readAmount, readPrice } from './amounts.ts';
import type { Choice, Find } from './search-select.tsx';

export type BodySchema = {
  readonly type?: string;
  readonly required?: readonly string[];
  readonly properties?: Readonly<Record<string, BodySchema>>;
  readonly anyOf?: readonly BodySchema[];
  readonly enum?: readonly string[];
  readonly format?: string;
  readonly pattern?: string;
  readonly minProperties?: number;
  readonly minLength?: number;
  readonly minItems?: number;
  readonly maxLength?: number;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly 'x-rule'?: string;
};

export type FormFields = Readonly<Record<string, FormField>>;

type Value = string | boolean | Choice | null;
export type BodyDraft = Readonly<Record<string, Value>>;

export type Field = FormField & {
  readonly name: string;
  /** Without null. */
  readonly schema: BodySchema;
  readonly isRequired: boolean;
  readonly isNullable: boolean;
  readonly find: Find | undefined;
};

export type BodyForm = {
  readonly initial: BodyDraft;
  readonly problems: (draft: BodyDraft) => Readonly<Record<string, string | undefined>>;
  readonly check: (draft: BodyDraft) => string | undefined;
  readonly shownIn: (draft: BodyDraft) => readonly Field[];
  /** The edited fields whose value is neither that of `before` nor the edited one: someone else changed them. */
  readonly changedElsewhere: (
    draft: BodyDraft,
    before: object,
    now: object,
  ) => readonly (readonly [name: string, now: Value])[];
  /** The members that the form changes, and those that the body requires. */
  readonly toBody: (draft: BodyDraft) => object;
};

export function toBodyForm(
  schema: BodySchema,
  labelled: FormFields,
  options: {
    /** The first values of the fields, by the members of the body. */
    readonly values?: object;
    /** For fields whose value is chosen by a search. */
    readonly finds?: Readonly<Record<string, Find>>;
  } = {},
): BodyForm {
  const { values = {}, finds = {} } = options;
  const all = Object.entries(labelled).map(([name, field]) => toField(name, field, schema, finds[name]));
  const initial = Object.fromEntries(all.map((field) => [field.name, toValue(field, values)]));
  const shownIn = (draft: BodyDraft) =>
    all.filter(({ when }) => when === undefined || draft[when[0]] === when[1]);
  const isEdited = ({ name }: Field, draft: BodyDraft) => trimmed(draft[name]) !== trimmed(initial[name]);
  const sentIn = (draft: BodyDraft) =>
    shownIn(draft).filter((field) => field.isRequired || isEdited(field, draft));
  return {
    initial,
    problems: (draft) =>
      Object.fromEntries(
        shownIn(draft).map((field) => [field.name, findProblem(field, draft[field.name], initial)]),
      ),
    // A body of changes must name at least one.
    check: (draft) =>
      schema.minProperties !== undefined && all.length > 0 && sentIn(draft).length === 0
        ? common.nothingWasChangedYet
        : undefined,
    shownIn,
    changedElsewhere: (draft, before, now) =>
      sentIn(draft).flatMap((field) => {
        const value = toValue(field, now);
        const isOwn = trimmed(draft[field.name]) === value;
        return isOwn || value === toValue(field, before) ? [] : [[field.name, value] as const];
      }),
    toBody: (draft) => {
      const body: Record<string, unknown> = {};
      for (const field of sentIn(draft)) {
        const path = field.name.split('.');
        const last = path.pop() ?? '';
        const target = path.reduce((inner, part) => {
          inner[part] ??= {};
          return inner[part] as typeof body;
        }, body);
        target[last] = read(field, draft[field.name] ?? null);
      }
      return body;
    },
  };
}

function toField(name: string, field: FormField, body: BodySchema, find: Find | undefined): Field {
  const path = name.split('.');
  const last = path.pop() ?? '';
  const parent = path.reduce((schema, part) => schema.properties?.[part] ?? {}, body);
  const member = parent.properties?.[last] ?? {};
  const schema = member.anyOf?.find(({ type }) => type !== 'null') ?? member;
  const isRequired = parent.required?.includes(last) ?? false;
  return { ...field, name, find, schema, isRequired, isNullable: member.anyOf !== undefined };
}

function toValue({ name, schema, find, format, labels = {} }: Field, values: object): Value {
  const value = name.split('.').reduce<unknown>((inner, part) => Object(inner)[part], values) ?? null;
  if (find !== undefined) return value as Choice | null;
  if (schema.type === 'boolean') return value === true;
  if (Array.isArray(value)) return value.join('\n');
  if (format === 'days' && value !== null) return toDays(Number(value));
  // A choice that cannot be empty begins with the first.
  const first = '' in labels ? '' : (schema.enum?.[0] ?? '');
  return value === null ? first : String(value);
}

function trimmed(value: Value | undefined): Value | undefined {
  return typeof value === 'string' ? value.trim() : value;
}

function read(field: Field, value: Value): unknown {
  const { schema, format, isNullable } = field;
  if (typeof value === 'object') return value?.id;
  if (typeof value === 'boolean') return value;
  const text = value.trim();
  if (schema.type === 'array') return toWords(text);
  if (text === '' && isNullable) return null;
  if (format === 'money' || format === 'percent') return readAmount(text) ?? text;
  if (format === 'days') return readHours(text) ?? text;
  if (schema.type === 'integer') return Number(text);
  return schema.format === 'unambiguous' ? text.normalize() : text;
}

/** The service checks the other rules, such as those of a list's elements. */
function findProblem(field: Field, value: Value | undefined, initial: BodyDraft): string | undefined {
  const { schema, format, isRequired, isNullable, name } = field;
  const { 'x-rule': rule = '', pattern, minimum = 0, maximum = Infinity } = schema;
  const wordedRule = rule === '' ? '' : `${wordRule(rule)}.`;
  const problem = field.problem ?? wordedRule;
  if (field.find !== undefined) return value === null ? problem : undefined;
  if (typeof value !== 'string') return undefined;
  if (schema.enum !== undefined) return value === '' && isRequired && !isNullable ? problem : undefined;
  const text = value.trim();
  if (schema.type === 'array') return text === '' && schema.minItems !== undefined ? problem : undefined;
  if (text === '') return isNullable || (!isRequired && initial[name] === '') ? undefined : problem;
  const { maxLength = Infinity } = format === undefined ? schema : {};
  if ([...text].length > maxLength) return common.tooLong(maxLength);
  if (format === 'money') return amountProblem(text, problem, readPrice);
  if (format === 'percent') return readAmount(text) === undefined ? problem : undefined;
  if (schema.type === 'integer') {
    const number = format === 'days' ? readHours(text) : readCount(text);
    if (number === undefined) return problem;
    return number < minimum || number > maximum ? wordedRule : undefined;
  }
  return pattern === undefined || new RegExp(pattern, 'u').test(text) ? undefined : problem;
}

export const toWords = (text: string) => text.split(/[\s,]+/).filter((word) => word !== '');

const readCount = (text: string) => (/^\d+$/.test(text) ? Number(text) : undefined);

/** Halves of days are easy to read; anything else stays hours. */
function toDays(hours: number): string {
  return hours % 12 === 0 ? String(hours / 24) : `${hours} h`;
}

/** The whole hours of `30`, `1.5`, `1,5` or `5 h`. */
function readHours(text: string): number | undefined {
  const [, number = '', unit] = /^(\d+(?:[.,]\d+)?)\s*(h?)$/.exec(text) ?? [];
  const hours = Number(number.replace(',', '.')) * (unit === 'h' ? 1 : 24);
  return number !== '' && Number.isInteger(hours) ? hours : undefined;
}
