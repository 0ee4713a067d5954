/** Bodies made from the contract: one that each operation accepts, and those that each break one rule of its schema. */
import { randomUUID } from 'node:crypto';
import type { NamedOperation } from '@keyport/contract/operations';
import { must } from '@keyport/core/assert';
import type { TSchema } from 'typebox';

export type Rules = {
  readonly type?: string;
  readonly enum?: readonly string[];
  readonly pattern?: string;
  readonly format?: string;
  readonly minimum?: number;
  readonly exclusiveMinimum?: number;
  readonly maximum?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly items?: TSchema;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly examples?: readonly unknown[];
  readonly anyOf?: readonly TSchema[];
  readonly properties?: Readonly<Record<string, TSchema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: false;
  readonly minProperties?: number;
  readonly maxProperties?: number;
};

/** A body that breaks one rule, and the field that the error names. */
export type Break = { readonly field: string; readonly body: unknown };

const WORDS = [
  ...['x', '1', '217455600123456701', 'listAllOrders', '2026-01-01T00:00:00Z', '2026-01-01', '192.0.2.1'],
  ...['ada@shop.example', 'https://shop.example/', 'order:2174556001234567', '5', '1200'],
];
const BAD_TEXTS = [
  ...[
    '',
    '  ',
    ' x',
    'a\u0000b',
    '0',
    '1.234',
    '-1',
    '1e3',
    '100000000000',
    'nonsense',
    'COMPLETE',
    '2026-02-30',
  ],
  'ftp://x',
];

/** The schema of a value that is not null. */
function toInner(schema: TSchema): Rules {
  const rules = schema as Rules;
  return (rules.anyOf?.find((one) => (one as Rules).type !== 'null') as Rules | undefined) ?? rules;
}

function isAllowed({ pattern, format, minLength = 0, maxLength = 1e9 }: Rules, text: string): boolean {
  if (text.length < minLength || text.length > maxLength) return false;
  if (format === 'uri' && !text.startsWith('https://')) return false;
  if (format === 'date-time' && !text.endsWith('Z')) return false;
  return pattern === undefined || new RegExp(pattern, 'u').test(text);
}

/** A body with every member. */
function toExample(schema: TSchema): unknown {
  const rules = toInner(schema);
  if (rules.enum !== undefined) return rules.enum[0];
  if (rules.examples !== undefined) return rules.examples[0];
  if (rules.type === 'boolean') return false;
  if (rules.type === 'integer' || rules.type === 'number') return rules.minimum ?? 1;
  if (rules.type === 'array') return [toExample(must(rules.items, 'items'))];
  if (rules.properties !== undefined) {
    const members = Object.entries(rules.properties).filter(([name]) => name !== 'dryRun');
    return Object.fromEntries(
      members.slice(0, rules.maxProperties).map(([name, member]) => [name, toExample(member)]),
    );
  }
  return must(
    WORDS.find((word) => isAllowed(rules, word)),
    JSON.stringify(rules),
  );
}

/** Values that the schema does not allow, each with the field that is named. */
function* toBadValues(
  schema: TSchema,
  field: string,
  textsMax: number,
): Generator<{ field: string; value: unknown }> {
  const rules = toInner(schema);
  const bad = (value: unknown, at = field) => ({ field: at, value });
  const isNullable = (schema as Rules).anyOf?.some((one) => (one as Rules).type === 'null') === true;
  yield bad(rules.properties === undefined ? { nonsense: [] } : 'nonsense');
  if (!isNullable) yield bad(null);
  if (rules.enum !== undefined) yield bad(`${rules.enum[0]} `);
  else if (rules.type === 'integer' || rules.type === 'number') {
    if (rules.type === 'integer') yield bad(1.5);
    yield bad('1');
    const { minimum, exclusiveMinimum, maximum } = rules;
    if (minimum !== undefined) yield bad(minimum - 1);
    if (exclusiveMinimum !== undefined) yield bad(exclusiveMinimum);
    if (maximum !== undefined) yield bad(maximum + 1);
  } else if (rules.type === 'string') {
    const texts = BAD_TEXTS.filter((text) => !isAllowed(rules, text));
    for (const text of texts.slice(0, textsMax)) yield bad(text);
    if (rules.maxLength !== undefined) yield bad('x'.repeat(rules.maxLength + 1));
  } else if (rules.type === 'array') {
    const item = toExample(must(rules.items, 'items'));
    if (rules.minItems !== undefined) yield bad([]);
    if (rules.maxItems !== undefined && rules.maxItems < 200) yield bad(Array(rules.maxItems + 1).fill(item));
    for (const each of toBadValues(must(rules.items, 'items'), `${field}[0]`, textsMax))
      yield bad([each.value], each.field);
  }
  if (rules.properties !== undefined) {
    const example = toExample(schema) as Record<string, unknown>;
    for (const name of rules.required ?? []) {
      const { [name]: _, ...rest } = example;
      yield bad(rest, `${field}.${name}`);
    }
    if (rules.additionalProperties === false && rules.maxProperties === undefined)
      yield bad({ ...example, nonsense: 1 }, `${field}.nonsense`);
    if (rules.minProperties !== undefined && rules.required === undefined) yield bad({});
    // Each member of an object with one member is tried alone.
    const rest = rules.maxProperties === 1 ? {} : example;
    for (const [name, member] of Object.entries(rules.properties)) {
      if (name === 'dryRun') continue;
      for (const each of toBadValues(member, `${field}.${name}`, textsMax))
        yield bad({ ...rest, [name]: each.value }, each.field);
    }
  }
}

/** At most `textsMax` bad texts are tried for each text, since all texts have the same parser. */
export function findBreaks(schema: TSchema, textsMax: number): readonly Break[] {
  return Array.from(toBadValues(schema, 'body', textsMax), ({ field, value }) => ({ field, body: value }));
}

/** Operations whose schemas allow members that exclude each other have a body here. */
const BODIES: Readonly<Record<string, object>> = {
  changeOffers: { changes: [{ offerId: randomUUID(), withdrawKeys: { reason: 'x', quantity: 1 } }] },
  refundOrder: { reason: 'x' },
  replaceKey: { reason: 'x', keyId: '1' },
  updateClient: { allowedAddresses: [] },
  withdrawKeys: { reason: 'x', quantity: 1 },
};

/** A body that satisfies the schema of the operation, if it has one. */
export function toBody({ name, body }: NamedOperation): unknown {
  return body && (BODIES[name] ?? toExample(body));
}
