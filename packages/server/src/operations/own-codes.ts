/**
 * People repeat a product key in the reason or message beside it. Such texts are stored in clear and read by viewers, so
 * the request's own codes are hidden in them, however they are spelled.
 */
import { foldCode } from '@keyport/core/product-code';
import type { TSchema } from 'typebox';

const HIDDEN = '***';
/** The pattern and the format of a text that only must not be blank. */
const ANY_TEXT = '\\S';
const FILLED = 'filled';
const CODE_NAME = /^codes?$/;
/** A code of at most this many characters is hidden only as a whole word. */
const WORD_LENGTH_MAX = 4;
/** Codes are found by so many characters at most, which bounds the time for codes of many lengths. */
const HEAD_LENGTH_MAX = 64;
/** A character with its combining marks, which `foldCode` may merge. */
const CLUSTERS = /\P{M}\p{M}*|\p{M}+/gu;
const IN_WORD = /^[\p{L}\p{N}]/u;

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
    const heads = toHeads(codes);
    return heads.size === 0 ? body : masked(body, heads, isText);
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
    pattern = ANY_TEXT,
    format = FILLED,
    ...others
  } = member as Readonly<Record<string, unknown>>;
  return type === 'string' && pattern === ANY_TEXT && format === FILLED && !('enum' in others);
}

function collectCodes(value: unknown, codes: string[], name = ''): void {
  if (typeof value === 'string' && CODE_NAME.test(name)) codes.push(value);
  if (typeof value !== 'object' || value === null) return;
  for (const [key, member] of Object.entries(value))
    collectCodes(member, codes, Array.isArray(value) ? name : key);
}

/** Folded characters of a text, each with its place in the text. */
type Folded = {
  readonly characters: string;
  readonly starts: readonly number[];
  readonly ends: readonly number[];
};

function fold(text: string): Folded {
  let characters = '';
  const [starts, ends]: [number[], number[]] = [[], []];
  for (const { 0: cluster, index } of text.matchAll(CLUSTERS)) {
    const folded = foldCluster(cluster);
    characters += folded;
    for (let unit = 0; unit < folded.length; unit += 1) {
      starts.push(index);
      ends.push(index + cluster.length);
    }
  }
  return { characters, starts, ends };
}

/** Empty for a separator, which `foldCode` would keep if it stood alone. */
const foldCluster = (cluster: string) => foldCode(`x${cluster}`).slice(1);

type Heads = ReadonlyMap<number, ReadonlyMap<string, string>>;

/** The folded codes by the length of their first characters, then by these characters. */
function toHeads(codes: readonly string[]): Heads {
  const heads = new Map<number, Map<string, string>>();
  for (const code of codes) {
    const { characters } = fold(foldCode(code));
    const head = characters.slice(0, HEAD_LENGTH_MAX);
    if (head === '') continue;
    const ofLength = heads.get(head.length) ?? new Map<string, string>();
    heads.set(head.length, ofLength.set(head, characters));
  }
  return new Map([...heads].sort(([one], [other]) => other - one));
}

function hide(text: string, heads: Heads): string {
  const folded = fold(text);
  let shown = '';
  let from = 0;
  for (let at = 0; at < folded.characters.length; ) {
    const length = lengthAt(folded, at, heads, text);
    if (length === 0) {
      at += 1;
      continue;
    }
    shown += text.slice(from, folded.starts[at]) + HIDDEN;
    from = folded.ends[at + length - 1] ?? text.length;
    at += length;
  }
  return shown + text.slice(from);
}

/** The length of the code that begins here, or of its beginning that the text repeats; otherwise 0. */
function lengthAt({ characters, starts, ends }: Folded, at: number, heads: Heads, text: string): number {
  for (const [length, codes] of heads) {
    const code = codes.get(characters.slice(at, at + length));
    if (code === undefined) continue;
    const start = starts[at] ?? 0;
    const end = ends[at + length - 1] ?? text.length;
    if (length <= WORD_LENGTH_MAX && (endsInWord(text.slice(0, start)) || IN_WORD.test(text.slice(end))))
      continue;
    let same = length;
    while (same < code.length && characters[at + same] === code[same]) same += 1;
    return same;
  }
  return 0;
}

const endsInWord = (text: string) => /[\p{L}\p{N}]$/u.test(text.slice(-2));

function masked(value: unknown, codes: Heads, isText: Named, name = ''): unknown {
  if (typeof value === 'string') return isText(name) ? hide(value, codes) : value;
  if (Array.isArray(value)) return value.map((element) => masked(element, codes, isText, name));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, member]) => [key, masked(member, codes, isText, key)]),
  );
}
