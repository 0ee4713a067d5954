/** Hides codes, secrets and tokens only. A703. */

const HIDDEN = '***';
const SECRET_NAME = /^(?:codes?|keys?)$|secret|token|password|authorization|^invitationUrl$/i;
/** The secrets and tokens that the service issues, anywhere in a text. A part of a token is hidden too. */
const SECRET_TEXT = /(?:kpsec|whsec)_[\w+/=-]+|eyJ[\w-]{8,}[\w.-]*/g;
/** A string may be unterminated. */
const JSON_PARTS = /"(?:[^"\\]|\\.)*"?|[{}[\],:]|[^\s{}[\],:"]+/gs;
const LITERAL = /^(?:true|false|null)$/;
const NUMBER = /^-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?$/;

/** The beginning of a text. Logged texts are shortened before they are masked, so that long ones cost no more. */
export type Beginning = { readonly text: string; readonly isCut: boolean };

/** `value` is the text of a string, or of a number. */
export type MayShow = (name: string, value: string) => boolean;

export const isSecretName = (name: string) => SECRET_NAME.test(name);

/** The members at any depth of a JSON schema, each with its own schemas. */
export function membersIn(schema: unknown, members = new Map<string, object[]>()): Map<string, object[]> {
  if (typeof schema !== 'object' || schema === null) return members;
  for (const [key, value] of Object.entries(schema)) {
    if (key === 'properties') {
      for (const [name, member] of Object.entries<object>(value))
        members.set(name, [...(members.get(name) ?? []), member]);
    }
    membersIn(value, members);
  }
  return members;
}

/** `isFree`: the result for schemas that accept any text. */
export function hasForm(schema: object, text: string, isFree: boolean): boolean {
  if ('anyOf' in schema && Array.isArray(schema.anyOf))
    return schema.anyOf.some((one: object) => hasForm(one, text, isFree));
  if ('items' in schema && typeof schema.items === 'object' && schema.items !== null)
    return hasForm(schema.items, text, isFree);
  if ('const' in schema) return text === String(schema.const);
  if ('enum' in schema && Array.isArray(schema.enum)) return schema.enum.includes(text);
  if ('pattern' in schema) return compiled(String(schema.pattern)).test(text);
  if (!('type' in schema)) return false;
  return schema.type === 'string' ? isFree : schema.type !== 'object' && NUMBER.test(text);
}

const expressions = new Map<string, RegExp>();

function compiled(pattern: string): RegExp {
  const known = expressions.get(pattern);
  if (known !== undefined) return known;
  const expression = new RegExp(pattern, 'u');
  expressions.set(pattern, expression);
  return expression;
}

export function maskSecrets(text: string): string {
  // Faster than the regular expression; few texts contain a secret.
  if (!text.includes('sec_') && !text.includes('eyJ')) return text;
  return text.replace(SECRET_TEXT, HIDDEN);
}

/**
 * Masks values in JSON, even if malformed; hides other text. Elements take the name of their array. A value at the
 * end of a text that was cut is hidden, because the rest of the value could decide whether it may be shown.
 */
export function maskJson({ text, isCut }: Beginning, mayShow: MayShow): string {
  const cutAt = isCut ? text.trimEnd().length : Number.POSITIVE_INFINITY;
  const outer: { readonly isObject: boolean; readonly name: string | undefined }[] = [];
  let isObject = false;
  let name: string | undefined;
  return text.replace(JSON_PARTS, (part, offset: number) => {
    if (part === '{' || part === '[') {
      outer.push({ isObject, name });
      isObject = part === '{';
      return part;
    }
    if (part === '}' || part === ']') {
      ({ isObject, name } = outer.pop() ?? { isObject: false, name: undefined });
      return part;
    }
    if (part === ',' || part === ':') return part;
    if (isObject && part.startsWith('"') && isBeforeColon(text, offset + part.length)) {
      name = part.slice(1, -1);
      return part;
    }
    if (offset + part.length >= cutAt) return `"${HIDDEN}"`;
    if (LITERAL.test(part)) return part;
    const isValue = outer.length > 0 && (part.startsWith('"') || NUMBER.test(part));
    return isValue && name !== undefined && mayShow(name, toText(part)) ? part : `"${HIDDEN}"`;
  });
}

function toText(part: string): string {
  return part.startsWith('"') ? part.slice(1, part.length > 1 && part.endsWith('"') ? -1 : undefined) : part;
}

function isBeforeColon(text: string, end: number): boolean {
  let index = end;
  while (text[index] === ' ' || text[index] === '\n' || text[index] === '\t' || text[index] === '\r')
    index += 1;
  return text[index] === ':';
}

export function maskQuery(query: string, mayShow: MayShow): string {
  if (query === '') return '';
  return query
    .split('&')
    .map((part) => {
      const [name = '', ...value] = part.split('=');
      const isShown = value.length === 0 || mayShow(plainName(name), decoded(value.join('=')));
      return isShown ? part : `${name}=${HIDDEN}`;
    })
    .join('&');
}

function decoded(value: string): string {
  try {
    return decodeURIComponent(value.replaceAll('+', ' '));
  } catch {
    return value;
  }
}

/** `productIds%5B%5D` is `productIds[]`. */
function plainName(name: string): string {
  return name
    .replaceAll(/%5B/gi, '[')
    .replaceAll(/%5D/gi, ']')
    .replace(/\[\d+\]$/, '[]');
}

/** Shows only parameters that match their patterns, and words of routes. */
export function maskPath(
  path: string,
  route: string,
  patterns: Readonly<Record<string, RegExp>>,
  words: ReadonlySet<string>,
): string {
  const names = route.split('/');
  return path
    .split('/')
    .map((segment, place) => {
      const name = /^\{(\w+)\}$/.exec(names[place] ?? '')?.[1];
      const isShown = name === undefined ? words.has(segment) : patterns[name]?.test(segment) === true;
      return isShown ? segment : HIDDEN;
    })
    .join('/');
}

/** At most `bytesMax` bytes. The result does not keep a longer text in memory. */
export function toBeginning(whole: string | Buffer, bytesMax: number): Beginning {
  if (typeof whole === 'string' && whole.length <= bytesMax) {
    const text = cut(whole, bytesMax);
    return { text, isCut: text !== whole };
  }
  const bytes = typeof whole === 'string' ? Buffer.from(whole.slice(0, bytesMax)) : whole;
  return { text: decodeBytes(bytes.subarray(0, bytesMax)), isCut: whole.length > bytesMax };
}

/** Whole characters that the database can store. */
export function cut(text: string, bytesMax: number): string {
  const storable = text.includes('\0') ? text.replaceAll('\0', '\uFFFD') : text;
  if (storable.length * 3 <= bytesMax || Buffer.byteLength(storable) <= bytesMax) return storable;
  return decodeBytes(Buffer.from(storable).subarray(0, bytesMax));
}

function decodeBytes(bytes: Buffer): string {
  return new TextDecoder().decode(bytes, { stream: true });
}
