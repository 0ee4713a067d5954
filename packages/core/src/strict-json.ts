/**
 * Rejects content that JSON.parse would change or drop (A11), such as duplicate members, 1e400 and
 * 25.000000000000001, and __proto__, NUL characters and lone surrogates. One linear pass.
 */

import { assert } from './assert.ts';

/** A syntax error has no `field`. */
export type StrictJson =
  | { readonly ok: true; readonly value: unknown }
  | { readonly ok: false; readonly message: string; readonly field?: string };

/** The deepest body in the contract has five levels. */
const DEPTH_MAX = 20;

/** A double never needs more than 25 characters. */
const NUMBER_LENGTH_MAX = 40;

const SHOWN_NAME_LENGTH_MAX = 40;

const VALUE_MISSING = 'a JSON value is missing';
const FORBIDDEN_NAMES = new Set(['__proto__', 'constructor', 'prototype']);
const NUMBER = /-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?/y;
const ESCAPE = /\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})/y;

const TAB = 0x09;
const LINE_FEED = 0x0a;
const CARRIAGE_RETURN = 0x0d;
const BLANK = 0x20;
const QUOTE = 0x22;
const BACKSLASH = 0x5c;

type Scan = { readonly text: string; position: number; readonly path: (string | number)[] };

/** parseStrictJson catches it. */
class Rejection extends Error {
  readonly field: string | undefined;

  constructor(message: string, field?: string) {
    super(message);
    this.field = field;
  }
}

export function parseStrictJson(text: string): StrictJson {
  try {
    scanDocument({ text, position: 0, path: [] });
  } catch (error) {
    if (!(error instanceof Rejection)) throw error;
    const { message, field } = error;
    return field === undefined ? { ok: false, message } : { ok: false, message, field };
  }
  const value: unknown = JSON.parse(text);
  return { ok: true, value };
}

function scanDocument(scan: Scan): void {
  skipBlanks(scan);
  if (scan.position === scan.text.length) throw new Rejection('The body is empty; send a JSON document.');
  scanValue(scan);
  skipBlanks(scan);
  if (scan.position < scan.text.length) rejectSyntax(scan, 'nothing may follow the JSON document');
}

function scanValue(scan: Scan): void {
  const character = scan.text[scan.position];
  if (character === '{') scanObject(scan);
  else if (character === '[') scanArray(scan);
  else if (character === '"') scanString(scan);
  else if (character === 't') scanWord(scan, 'true');
  else if (character === 'f') scanWord(scan, 'false');
  else if (character === 'n') scanWord(scan, 'null');
  else scanNumber(scan);
}

function scanObject(scan: Scan): void {
  enter(scan);
  const names = new Set<string>();
  while (!take(scan, '}')) {
    if (names.size > 0) expect(scan, ',', 'a comma or } is missing');
    skipBlanks(scan);
    if (scan.text[scan.position] !== '"') rejectSyntax(scan, 'a member name in double quotes is missing');
    const name = scanString(scan);
    scan.path.push(name);
    checkName(scan, name, names);
    names.add(name);
    skipBlanks(scan);
    expect(scan, ':', 'a colon is missing after the member name');
    skipBlanks(scan);
    scanValue(scan);
    scan.path.pop();
    skipBlanks(scan);
  }
}

function scanArray(scan: Scan): void {
  enter(scan);
  let index = 0;
  while (!take(scan, ']')) {
    if (index > 0) expect(scan, ',', 'a comma or ] is missing');
    skipBlanks(scan);
    scan.path.push(index);
    scanValue(scan);
    scan.path.pop();
    skipBlanks(scan);
    index += 1;
  }
}

/** The length of the path is the number of open brackets. */
function enter(scan: Scan): void {
  if (scan.path.length >= DEPTH_MAX)
    rejectPart(scan, `Arrays and objects may be nested at most ${DEPTH_MAX} deep.`);
  scan.position += 1;
  skipBlanks(scan);
}

function checkName(scan: Scan, name: string, names: ReadonlySet<string>): void {
  if (names.has(name)) rejectPart(scan, `The member ${shown(name)} appears twice; send it once.`);
  if (FORBIDDEN_NAMES.has(name))
    rejectPart(scan, `The member name ${shown(name)} is not allowed; remove the member.`);
}

function scanString(scan: Scan): string {
  const start = scan.position;
  scan.position += 1;
  let hasEscapes = false;
  for (;;) {
    const code = scan.text.charCodeAt(scan.position);
    if (code === QUOTE) break;
    if (code === BACKSLASH) {
      hasEscapes = true;
      scanEscape(scan);
    } else if (code >= BLANK) {
      scan.position += 1;
    } else {
      // Also reached at the end of the text, where the code is NaN.
      rejectSyntax(scan, 'a control character in a string must be written as an escape such as \\n');
    }
  }
  scan.position += 1;
  const value = hasEscapes ? decodeEscapes(scan, start) : scan.text.slice(start + 1, scan.position - 1);
  if (!value.isWellFormed())
    rejectPart(scan, 'A string has half of a surrogate pair; send well-formed Unicode.');
  return value;
}

function scanEscape(scan: Scan): void {
  ESCAPE.lastIndex = scan.position;
  if (!ESCAPE.test(scan.text)) rejectSyntax(scan, 'this escape does not exist in JSON');
  scan.position = ESCAPE.lastIndex;
}

/** A NUL character can only come from an escape. */
function decodeEscapes(scan: Scan, start: number): string {
  const value: unknown = JSON.parse(scan.text.slice(start, scan.position));
  assert(typeof value === 'string', 'text between quotes is a string');
  if (value.includes('\u0000')) rejectPart(scan, 'A string has a NUL character (\\u0000); remove it.');
  return value;
}

function scanWord(scan: Scan, word: string): void {
  if (!scan.text.startsWith(word, scan.position)) rejectSyntax(scan, VALUE_MISSING);
  scan.position += word.length;
}

function scanNumber(scan: Scan): void {
  NUMBER.lastIndex = scan.position;
  if (!NUMBER.test(scan.text)) rejectSyntax(scan, VALUE_MISSING);
  const literal = scan.text.slice(scan.position, NUMBER.lastIndex);
  if (literal.length > NUMBER_LENGTH_MAX)
    rejectPart(scan, `A number may have at most ${NUMBER_LENGTH_MAX} characters.`);
  const value = Number(literal);
  if (!Number.isFinite(value)) rejectPart(scan, 'The number is too large.');
  if (!isExact(literal, value))
    rejectPart(scan, 'The number would be rounded; send at most 15 significant digits.');
  scan.position = NUMBER.lastIndex;
}

/** False if the number would be printed with different digits than were sent. */
function isExact(literal: string, value: number): boolean {
  const printed = String(value);
  return printed === literal || significantDigits(printed) === significantDigits(literal);
}

/** "-0.0250e3" → "25". */
function significantDigits(literal: string): string {
  const mantissa = literal.split(/[eE]/, 1)[0] ?? '';
  return mantissa
    .replace(/^[-0.]+/, '')
    .replace('.', '')
    .replace(/0+$/, '');
}

function skipBlanks(scan: Scan): void {
  for (;;) {
    const code = scan.text.charCodeAt(scan.position);
    if (code !== BLANK && code !== LINE_FEED && code !== CARRIAGE_RETURN && code !== TAB) return;
    scan.position += 1;
  }
}

function take(scan: Scan, character: string): boolean {
  if (scan.text[scan.position] !== character) return false;
  scan.position += 1;
  return true;
}

function expect(scan: Scan, character: string, complaint: string): void {
  if (!take(scan, character)) rejectSyntax(scan, complaint);
}

function rejectPart(scan: Scan, message: string): never {
  throw new Rejection(message, formatPath(scan.path));
}

function rejectSyntax({ text, position }: Scan, complaint: string): never {
  if (position >= text.length) throw new Rejection('The JSON ends before it is complete; send all of it.');
  const lines = text.slice(0, position).split('\n');
  const column = (lines.at(-1) ?? '').length + 1;
  throw new Rejection(`The JSON is not valid at line ${lines.length}, column ${column}: ${complaint}.`);
}

function formatPath(path: readonly (string | number)[]): string {
  const steps = path.map((step) => (typeof step === 'number' ? `[${step}]` : `.${shorten(step)}`));
  return `body${steps.join('')}`;
}

function shown(name: string): string {
  return JSON.stringify(shorten(name));
}

function shorten(name: string): string {
  return name.length <= SHOWN_NAME_LENGTH_MAX
    ? name
    : `${name.slice(0, SHOWN_NAME_LENGTH_MAX).toWellFormed()}…`;
}
