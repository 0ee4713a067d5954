/** One line per value; nested values are indented under their name. */
export function formatTree(value: unknown, indent = ''): string {
  if (!isNested(value)) return indent + formatScalar(value);
  const entries = Object.entries(value);
  const width = Math.max(
    ...entries.filter(([, member]) => !isNested(member)).map(([name]) => name.length),
    0,
  );
  return entries
    .map(([name, member]) => {
      const label = indent + (Array.isArray(value) ? '-' : name.padEnd(isNested(member) ? 0 : width));
      return isNested(member)
        ? `${label}\n${formatTree(member, `${indent}  `)}`
        : `${label}  ${formatScalar(member)}`;
    })
    .join('\n');
}

export function formatScalar(value: unknown): string {
  if (value === null || value === undefined) return '-';
  return printable(typeof value === 'object' ? JSON.stringify(value) : String(value));
}

/** Empty objects are printed as one value. */
export function isNested(value: unknown): value is object {
  return typeof value === 'object' && value !== null && Object.keys(value).length > 0;
}

/** JSON escapes only the first 32 control characters; a terminal obeys others too. */
export function formatJson(value: unknown, indent = 2): string {
  return JSON.stringify(value, null, indent).replaceAll(UNPRINTABLE, (character) =>
    character === '\n' ? character : `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

/** Names of sellers and resellers may contain control characters. */
const UNPRINTABLE = /[\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069]/gu;

export function printable(text: string): string {
  return text.replaceAll(UNPRINTABLE, '\ufffd');
}

export function printableLines(text: string): string {
  return text
    .replaceAll(/\r?\n/g, '\n')
    .replaceAll(UNPRINTABLE, (character) => (character === '\n' ? '\n' : '\ufffd'));
}
