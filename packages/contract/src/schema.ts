/** `x-rule` completes the sentence "<field> …" in a validation error. */
import { type TOptional, type TSchema, type TSchemaOptions, Type } from 'typebox';

export function nullable<Schema extends TSchema>(schema: Schema, options: TSchemaOptions = {}) {
  return Type.Union([schema, Type.Null()], options);
}

export function oneOf<const Values extends readonly string[]>(
  values: Values,
  description: string,
  options: TSchemaOptions = {},
) {
  return Type.Enum<[...Values]>([...values], {
    ...options,
    type: 'string',
    description,
    'x-rule': `must be ${values.length === 1 ? '' : 'one of '}${values.join(', ')}`,
  });
}

/** Used in responses, because generated clients would reject new values of an enum. */
export function openEnum<const Value extends string>(
  values: readonly Value[],
  description: string,
  options: TSchemaOptions = {},
) {
  return Type.Unsafe<Value>({
    ...options,
    type: 'string',
    description: `${description} New values may be added. Known values: ${values.map((value) => `\`${value}\``).join(', ')}.`,
    'x-extensible-enum': [...values],
  });
}

export function exactlyOneOf<Properties extends Record<string, TSchema>>(
  properties: Properties,
  options: TSchemaOptions = {},
) {
  return strictObject(properties, { minProperties: 1, maxProperties: 1, ...options });
}

export type DataBy = {
  readonly member: string;
  /** Appended to the names of the variants. */
  readonly suffix: string;
  readonly data: Readonly<Record<string, TSchema>>;
};

/** `data` depends on another member; the OpenAPI document has a schema for each of its values. */
export function objectBy<Properties extends Record<string, TSchema>>(
  title: string,
  properties: Properties,
  by: DataBy,
) {
  return strictObject(properties, { title, 'x-by': by });
}

export function wholeNumber(
  minimum: number,
  maximum: number,
  description?: string,
  options: TSchemaOptions = {},
) {
  return Type.Integer({
    ...options,
    minimum,
    maximum,
    ...(description === undefined ? {} : { description }),
    'x-rule': `must be a whole number from ${minimum} to ${maximum}`,
  });
}

export function optional<Properties extends Record<string, TSchema>>(properties: Properties) {
  const members = Object.entries(properties).map(([name, schema]) => [name, Type.Optional(schema)]);
  return Object.fromEntries(members) as { [Name in keyof Properties]: TOptional<Properties[Name]> };
}

/** At least one member must be present. */
export function changeBody<Properties extends Record<string, TSchema>>(properties: Properties) {
  const rule = 'must name at least one field to change';
  return strictObject(optional(properties), { minProperties: 1, 'x-rule': rule });
}

export function toQuery<Properties extends Record<string, TSchema>>(properties: Properties) {
  return Type.Object(optional(properties));
}

export function toMembers<const Name extends string, Value>(names: readonly Name[], value: Value) {
  return Object.fromEntries(names.map((name) => [name, value])) as Record<Name, Value>;
}

export function count(description: string) {
  return Type.Integer({ minimum: 0, description });
}

export function namedObject<Properties extends Record<string, TSchema>>(
  title: string,
  properties: Properties,
) {
  return strictObject(properties, { title });
}

export function strictObject<Properties extends Record<string, TSchema>>(
  properties: Properties,
  options: TSchemaOptions = {},
) {
  return Type.Object(properties, { additionalProperties: false, ...options });
}

export function filledText(maxLength: number, options: TSchemaOptions = {}) {
  const rule = `must be text of 1 to ${maxLength} characters, not only blanks`;
  // `format` rejects texts of invisible characters, because not every regex dialect has a pattern for them.
  const filled = { minLength: 1, maxLength, pattern: '\\S', format: 'filled' };
  return Type.String({ ...filled, 'x-rule': rule, ...options });
}
