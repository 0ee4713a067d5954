import { deepEqual, equal, match, ok } from 'node:assert/strict';
import fc from 'fast-check';
import { test } from 'vitest';
import { parseStrictJson, type StrictJson } from './strict-json.ts';

const SYNTAX =
  /^The (JSON is not valid at line \d+, column \d+: .+|JSON ends before .+|body is empty; .+)\.$/s;

function refused(text: string): Extract<StrictJson, { ok: false }> {
  const parsed = parseStrictJson(text);
  return parsed.ok ? { ok: false, message: `accepted as ${JSON.stringify(parsed.value)}` } : parsed;
}

/** Both reject the same syntax; an accepted text has the value of JSON.parse. */
function agreesWithJsonParse(text: string): void {
  const parsed = parseStrictJson(text);
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    equal(parsed.ok, false, text);
    return;
  }
  if (parsed.ok) deepEqual(parsed.value, value);
  else ok(!SYNTAX.test(parsed.message), `${text}: ${parsed.message}`);
}

test('valid JSON gives the value that JSON.parse gives', () => {
  const plain = fc.json({ maxDepth: 5, stringUnit: 'binary' });
  fc.assert(fc.property(plain, (text) => agreesWithJsonParse(text)));
  const rows = [
    '0',
    '-0',
    '1.0',
    '1e2',
    '-12.50',
    '"a\\u00e9\\n\\ud83d\\ude00"',
    ' \t\r\n[ ] ',
    '{"":{"a":[1,"b",null]}}',
  ];
  for (const text of rows) deepEqual(parseStrictJson(text), { ok: true, value: JSON.parse(text) });
});

test('a text that JSON.parse rejects is rejected, wherever it was damaged', () => {
  const token = fc.constantFrom(
    ...'{}[]:,"\\ \n0123456789.eE+-truefalsn/*u',
    '"a"',
    'null',
    '\u0001',
    '\u2028',
    '\ufeff',
  );
  fc.assert(fc.property(fc.array(token, { maxLength: 8 }), (tokens) => agreesWithJsonParse(tokens.join(''))));
  fc.assert(
    fc.property(fc.json({ maxDepth: 4 }), fc.nat(), fc.nat(3), token, (text, place, removed, added) => {
      const start = place % (text.length + 1);
      agreesWithJsonParse(text.slice(0, start) + added + text.slice(start + removed));
    }),
    { numRuns: 500 },
  );
});

test('the syntax of any text is valid if and only if JSON.parse accepts it', () => {
  fc.assert(fc.property(fc.string({ unit: 'binary' }), (text) => agreesWithJsonParse(text)));
});

test("a syntax error is reported with line and column, without the engine's message", () => {
  const rows: [string, RegExp][] = [
    ['', /^The body is empty; send a JSON document\.$/],
    [' \n', /^The body is empty/],
    ['{"a":1', /^The JSON ends before it is complete; send all of it\.$/],
    ['"abc', /ends before it is complete/],
    ['"abc\\', /escape does not exist/],
    ['{"a":1,\n "b": tru}', /at line 2, column 7: a JSON value is missing/],
    ['{}{}', /at line 1, column 3: nothing may follow/],
    ['{"a" 1}', /column 6: a colon is missing/],
    ['{"a":1 "b":2}', /column 8: a comma or } is missing/],
    ['{"a":1,}', /column 8: a member name in double quotes is missing/],
    ["{'a':1}", /column 2: a member name in double quotes/],
    ['[1,]', /column 4: a JSON value is missing/],
    ['[1 2]', /column 4: a comma or \] is missing/],
    ['[01]', /column 3: a comma or \]/],
    ['/* x */ 1', /column 1: a JSON value is missing/],
    ['NaN', /column 1/],
    ['"a\tb"', /column 3: a control character in a string must be written as an escape/],
    ['"\\x41"', /column 2: this escape does not exist/],
    ['\ufeff{}', /column 1/],
  ];
  for (const [text, expected] of rows) {
    const { message, field } = refused(text);
    match(message, expected, text);
    equal(field, undefined);
  }
});

test('a member that appears twice is rejected with its path, even if one is written with escapes', () => {
  const item = '{"manual":{"quantity":1,"quantity":25}}';
  const twice = refused(`{"currency":"EUR","items":[${item}]}`);
  equal(twice.field, 'body.items[0].manual.quantity');
  equal(twice.message, 'The member "quantity" appears twice; send it once.');
  equal(refused('{"a":1,"\\u0061":2}').field, 'body.a');
  equal(refused('[{},{"a":{},"b":[],"a":{}}]').field, 'body[1].a');
  equal(refused('{"":1,"":1}').field, 'body.');
  ok(parseStrictJson('{"a":{"a":1},"b":{"a":1},"c":["a","a"]}').ok);
});

test('member names that reach into prototypes are rejected at every level', () => {
  const before = Object.getOwnPropertyNames(Object.prototype);
  equal(refused('{"__proto__":{"x":1}}').field, 'body.__proto__');
  equal(refused('{"a":{"constructor":{"prototype":{"x":1}}}}').field, 'body.a.constructor');
  equal(refused('[{"prototype":1}]').field, 'body[0].prototype');
  match(
    refused('{"\\u005f_proto__":1}').message,
    /The member name "__proto__" is not allowed; remove the member/,
  );
  ok(parseStrictJson('{"a":"__proto__","b":"constructor"}').ok);
  deepEqual(Object.getOwnPropertyNames(Object.prototype), before);
});

test('NUL characters and lone surrogates are rejected in strings and in names', () => {
  equal(refused('{"a":["b","x\\u0000"]}').field, 'body.a[1]');
  match(refused('{"\\u0000":1}').message, /NUL character/);
  for (const text of ['"\\ud800"', '"\\udc00\\ud800"', '"\ud800"', '{"\\udfff":1}']) {
    match(refused(text).message, /half of a surrogate pair/);
  }
  ok(parseStrictJson('"\\\\u0000"').ok);
});

test('a number that would be rounded or overflow is rejected with its path, and an exact one is accepted', () => {
  const inexact = [
    '25.000000000000001',
    '24.9999999999999999',
    '0.10000000000000000001',
    '9007199254740993',
    '1e-400',
  ];
  for (const literal of [...inexact, '-25.000000000000001', '2500000000000000.1e-14']) {
    const { message, field } = refused(`{"items":[{"manual":{"quantity":${literal}}}]}`);
    match(message, /would be rounded; send at most 15 significant digits/, literal);
    equal(field, 'body.items[0].manual.quantity');
  }
  for (const literal of ['1e400', '-1e400', `${'9'.repeat(30)}e300`]) {
    match(refused(literal).message, /The number is too large/, literal);
  }
  match(refused(`1${'0'.repeat(50)}`).message, /at most 40 characters/);
  for (const literal of [
    '1.0',
    '25.000',
    '1E1',
    '2.5e1',
    '0.0',
    '-0.00e7',
    '0.1',
    '100',
    '9007199254740991',
    '1e300',
  ]) {
    deepEqual(parseStrictJson(literal), { ok: true, value: Number(literal) });
  }
  fc.assert(
    fc.property(fc.double({ noNaN: true, noDefaultInfinity: true }), (n) =>
      ok(parseStrictJson(String(n)).ok),
    ),
  );
});

test('20 levels of nesting are accepted and 21 are not', () => {
  ok(parseStrictJson('['.repeat(20) + ']'.repeat(20)).ok);
  match(refused('['.repeat(21) + ']'.repeat(21)).message, /nested at most 20 deep/);
  equal(refused('{"a":'.repeat(21)).field, `body${'.a'.repeat(20)}`);
});

test('an error shortens a long member name', () => {
  const name = 'x'.repeat(60_000);
  const { message, field = '' } = refused(`{"${name}":1,"${name}":1}`);
  ok(message.length < 100 && field.length < 100);
});

test('64 KiB of any shape are read in linear time', () => {
  const size = 64 * 1024;
  const shapes = {
    nesting: '['.repeat(size),
    nestedObjects: '{"a":'.repeat(size / 5),
    zeros: `1${'0'.repeat(size)}1`,
    zerosInside: `[0.${'0'.repeat(size)}1]`,
    openString: `"${'x'.repeat(size)}`,
    escapes: `"${'\\u00e9'.repeat(size / 6)}"`,
    names: `{${Array.from({ length: 6000 }, (_, index) => `"k${index}":1`).join(',')}}`,
    numbers: `[${'1e1,'.repeat(size / 4 - 1)}1]`,
    lines: `${'\n'.repeat(size)}x`,
  };
  for (const [shape, text] of Object.entries(shapes)) {
    const before = process.cpuUsage();
    parseStrictJson(text);
    // Processor time, independent of other programs. A quadratic step would take seconds.
    ok(process.cpuUsage(before).user < 500_000, shape);
  }
});
