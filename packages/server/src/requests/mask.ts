/** Hides codes, secrets and tokens in what callers send and get. Everything else stays as it was sent. A703. */

const HIDDEN = '***';

const SECRET_NAME = /^(?:codes?|keys?)$|secret|token|password|authorization/i;

/** Our secrets and tokens, wherever they stand. */
const SECRET_TEXT = /(?:kpsec|whsec)_[\w+/=-]+|eyJ[\w-]{8,}\.[\w-]+\.[\w-]*/g;

/** A string, a mark, or a run of anything else. A string may lack its end. */
const JSON_PARTS = /"(?:[^"\\]|\\.)*"?|[{}[\],:]|[^\s{}[\],:"]+/gs;
const LITERAL = /^(?:true|false|null)$/;
const NUMBER = /^-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?$/;

export type MayShow = (name: string) => boolean;

export const isSecretName = (name: string) => SECRET_NAME.test(name);

/** The names of all members in a JSON schema. */
export function namesIn(schema: unknown, names = new Set<string>()): Set<string> {
  if (typeof schema !== 'object' || schema === null) return names;
  for (const [key, value] of Object.entries(schema)) {
    if (key === 'properties') for (const name of Object.keys(value)) names.add(name);
    namesIn(value, names);
  }
  return names;
}

export function maskSecrets(text: string): string {
  // Much faster than the expression, and nearly no text has one.
  if (!text.includes('sec_') && !text.includes('eyJ')) return text;
  return text.replace(SECRET_TEXT, HIDDEN);
}

/**
 * The text of JSON, valid or not, without the values of members that may not be shown. Text that is not JSON at all is hidden.
 * Members of an object have their own names, elements of an array that of the array.
 */
export function maskJson(text: string, mayShow: MayShow): string {
  const outer: { readonly isObject: boolean; readonly isShown: boolean }[] = [];
  let isObject = false;
  let isShown = true;
  return text.replace(JSON_PARTS, (part, offset: number) => {
    if (part === '{' || part === '[') {
      outer.push({ isObject, isShown });
      isObject = part === '{';
      return part;
    }
    if (part === '}' || part === ']') {
      ({ isObject, isShown } = outer.pop() ?? { isObject: false, isShown: true });
      return part;
    }
    if (part === ',' || part === ':') return part;
    if (isObject && part.startsWith('"') && isBeforeColon(text, offset + part.length)) {
      isShown = mayShow(part.slice(1, -1));
      return part;
    }
    if (LITERAL.test(part)) return part;
    const isValue = outer.length > 0 && (part.startsWith('"') || NUMBER.test(part));
    return isValue && isShown ? part : `"${HIDDEN}"`;
  });
}

function isBeforeColon(text: string, end: number): boolean {
  let index = end;
  while (text[index] === ' ' || text[index] === '\n' || text[index] === '\t' || text[index] === '\r')
    index += 1;
  return text[index] === ':';
}

/** A query string without the values of parameters that may not be shown. */
export function maskQuery(query: string, mayShow: MayShow): string {
  if (query === '') return '';
  return query
    .split('&')
    .map((part) => {
      const [name = '', ...value] = part.split('=');
      return value.length === 0 || mayShow(plainName(name)) ? part : `${name}=${HIDDEN}`;
    })
    .join('&');
}

/** `productIds%5B%5D` is `productIds[]`. */
function plainName(name: string): string {
  return name
    .replaceAll(/%5B/gi, '[')
    .replaceAll(/%5D/gi, ']')
    .replace(/\[\d+\]$/, '[]');
}

/** The path with only those parameters that have their form. */
export function maskPath(path: string, route: string, patterns: Readonly<Record<string, RegExp>>): string {
  const names = route.split('/');
  return path
    .split('/')
    .map((segment, place) => {
      const name = /^\{(\w+)\}$/.exec(names[place] ?? '')?.[1];
      return name === undefined || patterns[name]?.test(segment) === true ? segment : HIDDEN;
    })
    .join('/');
}

/** The beginning of a text that the database can store. */
export function cut(text: string, bytesMax: number): string {
  const storable = text.includes('\0') ? text.replaceAll('\0', '\uFFFD') : text;
  if (storable.length * 3 <= bytesMax || Buffer.byteLength(storable) <= bytesMax) return storable;
  return new TextDecoder().decode(Buffer.from(storable).subarray(0, bytesMax), { stream: true });
}
