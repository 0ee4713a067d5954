import { InvalidArgumentError, Option } from 'commander';
import type { TObject } from 'typebox';
import { toEnd, toStart } from '../time-range.ts';

type JsonSchema = {
  readonly type?: string;
  readonly format?: string;
  readonly anyOf?: readonly JsonSchema[];
  readonly enum?: readonly unknown[];
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly items?: JsonSchema;
  readonly description?: string;
  readonly 'x-rule'?: string;
};

/** `paymentMethod` becomes `--payment-method`. */
export function toOptions(
  schema: TObject | undefined,
  except: readonly string[] = [],
  renamed: Readonly<Record<string, string>> = {},
): Option[] {
  return Object.entries<JsonSchema>(schema?.properties ?? {})
    .filter(([name]) => !except.includes(name))
    .map(([name, member]) => {
      const isRequired = schema?.required?.includes(name) ?? false;
      const flag = `--${kebabCase(renamed[name] ?? name)} <${placeholder(member)}>`;
      return new Option(flag, describe(member, isRequired)).makeOptionMandatory(isRequired);
    });
}

export function parseMembers(
  schema: TObject | undefined,
  texts: Readonly<Record<string, string>>,
): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(texts).map(([name, text]) => [
      name,
      parseMember(name, schema?.properties[name] ?? {}, text),
    ]),
  );
}

function parseMember(name: string, member: JsonSchema, text: string): unknown {
  if (member.anyOf !== undefined && text === 'null') return null;
  const { type } = withoutNull(member);
  if (type === 'object' || type === 'array') return parseJson(name, text);
  if (type === 'boolean' && /^(?:true|false)$/.test(text)) return text === 'true';
  if (type === 'integer' && /^-?\d{1,15}$/.test(text)) return Number(text);
  return text;
}

function parseJson(name: string, text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new InvalidArgumentError(`error: --${kebabCase(name)} must be JSON`);
  }
}

function withoutNull(member: JsonSchema): JsonSchema {
  return member.anyOf?.find(({ type }) => type !== 'null') ?? member;
}

function placeholder(member: JsonSchema): string {
  const { type } = withoutNull(member);
  if (type === 'object' || type === 'array') return 'json';
  if (type === 'boolean') return 'true|false';
  return type === 'integer' ? 'number' : 'text';
}

function describe(member: JsonSchema, isRequired: boolean): string {
  const value = withoutNull(member);
  const sentences = [
    member.description ?? value.description ?? member['x-rule'] ?? value['x-rule'] ?? '',
    value.enum === undefined ? '' : `One of ${value.enum.join(', ')}`,
    describeShape(value),
    member === value ? '' : '"null" for none',
  ];
  const text = sentences.filter((sentence) => sentence !== '').map((sentence) => sentence.replace(/\.$/, ''));
  return text.join('. ') + (isRequired ? ' (required)' : '');
}

function describeShape({ properties, items }: JsonSchema): string {
  if (items !== undefined)
    return items.properties === undefined ? 'A list' : `A list. ${describeShape(items)}`;
  return properties === undefined ? '' : `With ${Object.keys(properties).join(', ')}`;
}

export function kebabCase(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}

/** Replaces days with date-times. An upper bound includes its whole day. */
export function spellOutDays(
  schema: TObject | undefined,
  texts: Readonly<Record<string, string>>,
): Record<string, string> {
  return Object.fromEntries(
    Object.entries(texts).map(([name, text]) => {
      const member: JsonSchema = schema?.properties[name] ?? {};
      if (member.format !== 'date-time') return [name, text];
      return [name, /^(?:at|to)$|To$/.test(name) ? toEnd(text) : toStart(text)];
    }),
  );
}
