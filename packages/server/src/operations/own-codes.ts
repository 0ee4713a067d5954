/**
 * People repeat a product key in the reason or message beside it. Such texts are stored in clear and read by viewers, so
 * the request's own codes are hidden in them, however they are spelled.
 */
import type { TSchema } from 'typebox';

const HIDDEN = '***';
const CODE_NAME = /^codes?$/;
/** Blanks, hyphens, dashes and invisible characters, as in folded codes. */
const SEPARATORS = '[\\s\\p{Pd}\\p{Cf}]';
/** A shorter code is hidden only as a whole word. */
const WORD_LENGTH_MAX = 4;
const NO_LETTER = '[\\p{L}\\p{N}]';

type Named = (name: string) => boolean;

/** Undefined if a body of this schema has no codes or no free texts. */
export function ownCodesMask(schema: TSchema): ((body: unknown) => unknown) | undefined {
  const members: [string, object][] = [];
  collectMembers(schema, members);
  const texts = new Set(members.filter(([, member]) => isFreeText(member)).map(([name]) => name));
  const isText: Named = (name) => !CODE_NAME.test(name) && texts.has(name);
  if (!members.some(([name]) => CODE_NAME.test(name)) || !members.some(([name]) => isText(name)))
    return undefined;
  return (body) => {
    const codes: string[] = [];
    collectCodes(body, codes);
    const patterns = codes.map(patternOf).filter((pattern) => pattern !== undefined);
    return patterns.length === 0 ? body : masked(body, new RegExp(patterns.join('|'), 'giu'), isText);
  };
}

function collectMembers(schema: unknown, members: [string, object][]): void {
  if (typeof schema !== 'object' || schema === null) return;
  for (const [key, value] of Object.entries(schema)) {
    if (key === 'properties') members.push(...Object.entries<object>(value));
    collectMembers(value, members);
  }
}

function isFreeText(member: object): boolean {
  const {
    type,
    pattern = '\\S',
    ...others
  } = member as { readonly type?: unknown; readonly pattern?: unknown };
  return type === 'string' && pattern === '\\S' && !('enum' in others) && !('format' in others);
}

function collectCodes(value: unknown, codes: string[], name = ''): void {
  if (typeof value === 'string' && CODE_NAME.test(name)) codes.push(value);
  if (typeof value !== 'object' || value === null) return;
  for (const [key, member] of Object.entries(value))
    collectCodes(member, codes, Array.isArray(value) ? name : key);
}

function patternOf(code: string): string | undefined {
  const characters = Array.from(code.replaceAll(new RegExp(SEPARATORS, 'gu'), ''), (one) =>
    one.replaceAll(/[\\^$.*+?()[\]{}|/]/g, '\\$&'),
  );
  if (characters.length === 0) return undefined;
  const pattern = characters.join(`${SEPARATORS}*`);
  return characters.length > WORD_LENGTH_MAX ? pattern : `(?<!${NO_LETTER})${pattern}(?!${NO_LETTER})`;
}

function masked(value: unknown, codes: RegExp, isText: Named, name = ''): unknown {
  if (typeof value === 'string') return isText(name) ? value.replaceAll(codes, HIDDEN) : value;
  if (Array.isArray(value)) return value.map((element) => masked(element, codes, isText, name));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, member]) => [key, masked(member, codes, isText, key)]),
  );
}
