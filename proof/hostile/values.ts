import fc, { type Arbitrary } from 'fast-check';
import { resolve, type Schema } from './document.ts';

/** Ids that exist, by the parameter or member that takes them. */
export type KnownIds = Readonly<Record<string, readonly string[]>>;

/** The service must reject these by name or store them unchanged. */
const HOSTILE_TEXTS: readonly string[] = [
  '',
  ' ',
  '\u0000',
  'a\u0000b',
  '\ud800',
  '\udfff\ud800x',
  "' OR '1'='1",
  `'; DROP TABLE "order"; --`,
  `1); SELECT pg_sleep(20); --`,
  `$$ || pg_sleep(20) || $$`,
  '{{7*7}}',
  `\${7*7}`,
  '<%= 7*7 %>',
  '<script>alert(1)</script>',
  '\r\nX-Injected: 1\r\n\r\n',
  '\n{"level":"fatal","msg":"injected"}\n',
  '\u001b[2J\u001b[31mred',
  '\u202egnp.exe',
  '\ufeffbom',
  '\u2028\u2029',
  '../../../../etc/passwd',
  '..%2f..%2fadmin%2fv1%2faccounts',
  '__proto__',
  'constructor',
  'toString',
  'hasOwnProperty',
  'NaN',
  'Infinity',
  '-0',
  '-1',
  '+1',
  ' 1',
  '01',
  '1.',
  '1e400',
  '0x10',
  '1_000',
  '1,00',
  '0.005',
  '99999999999999999999999999',
  '9'.repeat(2000),
  '\u0661\u0662\u0663',
  'null',
  'true',
  '[]',
  '{}',
  '%',
  '_%',
  '\\',
  '=1+1',
  '@SUM(1)',
  'a'.repeat(501),
  'a'.repeat(6000),
  '\u00e9'.repeat(300),
  '\u{1f600}'.repeat(260),
  'e\u0301'.repeat(200),
  '\ufdfa'.repeat(100),
  '2026-02-30T00:00:00Z',
  '2026-11-21T24:00:00Z',
  '0000-01-01T00:00:00Z',
  '9999-12-31T23:59:59.999999999-23:59',
  '2026-11-21 09:30:00',
  '{0b7e9c1e-53a4-4c9e-9f0f-6a4ce5f0d111}',
  'urn:uuid:0b7e9c1e-53a4-4c9e-9f0f-6a4ce5f0d111',
  '00000000-0000-0000-0000-000000000000',
  '0b7e9c1e53a44c9e9f0f6a4ce5f0d111',
  'http://169.254.169.254/latest/meta-data',
  'javascript:alert(1)',
  'file:///etc/passwd',
];

/** Not all of them are valid JSON. */
export const HOSTILE_JSON: readonly string[] = [
  ...HOSTILE_TEXTS.map((text) => JSON.stringify(text)),
  ...[
    'null',
    'true',
    'false',
    '0',
    '-0',
    '-1',
    '1',
    '1.0',
    '1.5',
    '1e0',
    '25.000000000000001',
    '1e400',
    '-1e400',
  ],
  ...['1e-400', '9007199254740993', '2147483648', '9223372036854775808', '9'.repeat(400), '0.1e1'],
  ...[
    'NaN',
    'Infinity',
    'undefined',
    '01',
    '+1',
    '.5',
    '1.',
    '0x1',
    "'x'",
    '"\t"',
    '"\u0000"',
    '"\\x41"',
    '"\\ud800"',
  ],
  ...[
    '[]',
    '{}',
    '[[]]',
    '[null]',
    '[{}]',
    '{"a":{"b":[]}}',
    '{"":""}',
    '/*c*/1',
    '1//c',
    '"unclosed',
    '[1,]',
    '{,}',
  ],
  '{"__proto__":{"polluted":true}}',
  '{"constructor":{"prototype":{"polluted":true}}}',
  '{"toString":1,"valueOf":2,"toJSON":3,"then":4}',
  '['.repeat(30) + ']'.repeat(30),
  '['.repeat(10_000) + ']'.repeat(10_000),
  `${'{"a":'.repeat(5_000)}1${'}'.repeat(5_000)}`,
  JSON.stringify('x'.repeat(70_000)),
];

export const hostileText: Arbitrary<string> = fc.oneof(
  { weight: 6, arbitrary: fc.constantFrom(...HOSTILE_TEXTS) },
  { weight: 2, arbitrary: fc.string({ unit: 'binary', maxLength: 40 }) },
  { weight: 1, arbitrary: fc.string({ unit: 'grapheme', maxLength: 40 }) },
);

const INTERESTING_TIMES = [
  '2026-11-21T09:30:00Z',
  '2020-01-01T00:00:00.000001+14:00',
  '2100-12-31T23:59:59.999999Z',
];

/** Sent with the same payload or a different one. */
const REUSED_KEYS = ['6f1c2a52-8b0d-4a55-9d1e-0c6a8f2b7e10', '6F1C2A52-8B0D-4A55-9D1E-0C6A8F2B7E10'];

/** Longer waits are valid too. */
const WAIT_SECONDS_MAX = 1;

/**
 * The schema allows most of these values; it may have rules that the generator does not know. `name` is a
 * parameter or member.
 */
export function toValues(unresolved: Schema, name: string, known: KnownIds): Arbitrary<unknown> {
  const schema = resolve(unresolved);
  if (schema.const !== undefined) return fc.constant(schema.const);
  if (schema.enum !== undefined) return fc.constantFrom(...schema.enum);
  const choices = schema.anyOf ?? schema.oneOf;
  if (choices !== undefined) return fc.oneof(...choices.map((one) => toValues(one, name, known)));
  switch (schema.type) {
    case 'object':
      return toObjects(schema, known);
    case 'array': {
      const { items = {}, minItems = 0, maxItems = 5 } = schema;
      return fc.array(toValues(items, singular(name), known), {
        minLength: minItems,
        maxLength: Math.min(maxItems, minItems + 4),
      });
    }
    case 'integer':
    case 'number': {
      const { minimum = 0, maximum = 1_000_000 } = schema;
      return fc.integer({ min: minimum, max: name === 'wait' ? WAIT_SECONDS_MAX : maximum });
    }
    case 'boolean':
      return fc.boolean();
    case 'null':
      return fc.constant(null);
    default:
      return toTexts(schema, name, known);
  }
}

function toObjects(schema: Schema, known: KnownIds): Arbitrary<unknown> {
  const { properties = {}, required = [] } = schema;
  const members = Object.fromEntries(
    Object.entries(properties).map(([name, member]) => [name, toValues(member, name, known)]),
  );
  return fc.record(members, { requiredKeys: [...required] });
}

function toTexts(schema: Schema, name: string, known: KnownIds): Arbitrary<string> {
  const ids = known[name] ?? [];
  const made = madeTexts(schema, name);
  return ids.length === 0
    ? made
    : fc.oneof({ weight: 9, arbitrary: fc.constantFrom(...ids) }, { weight: 1, arbitrary: made });
}

function madeTexts(
  { pattern, format, examples, minLength = 0, maxLength = 30 }: Schema,
  name: string,
): Arbitrary<string> {
  if (name === 'Idempotency-Key')
    return fc.oneof(
      { weight: 9, arbitrary: fc.uuid() },
      { weight: 1, arbitrary: fc.constantFrom(...REUSED_KEYS) },
    );
  if (format === 'date-time') return fc.constantFrom(...INTERESTING_TIMES);
  if (format === 'date') return fc.constantFrom('2026-11-21', '1970-01-01', '9999-12-31');
  if (format === 'uri') return fc.constantFrom('https://images.example/a.png', 'http://example.com/?q=%20#f');
  if (/price|amount|max$/i.test(name)) return fc.constantFrom('10.00', '0.01', '5', '99999999999.99', '12.3');
  if (pattern === '^(0|[1-9][0-9]{0,15})(\\.[0-9]{1,12})?$')
    return fc.constantFrom('1.00', '25.50', '1000000');
  if (pattern !== undefined && pattern !== '\\S') {
    const given = (examples ?? []).map(String);
    const matching = fc.stringMatching(new RegExp(pattern));
    return given.length > 0 ? fc.oneof(fc.constantFrom(...given), matching) : matching;
  }
  return fc.string({
    unit: 'grapheme',
    minLength: Math.max(minLength, 1),
    maxLength: Math.min(maxLength, 40),
  });
}

function singular(name: string): string {
  return name.replace(/s?(\[\])?$/, '');
}
