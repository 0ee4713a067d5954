/** Characters that a reader of a setting can't see, as files from other systems and copied texts have them. */
const INVISIBLE = String.raw`\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u2800\u00A0\u1680\u2000-\u200A\u202F\u205F\u3000`;
const FIRST = new RegExp(`[${INVISIBLE}]`, 'u');
const ENDS = new RegExp(`^[ ${INVISIBLE}]+|[ ${INVISIBLE}]+$`, 'gu');

/** Removes blanks and invisible characters at both ends. */
export function trimInvisible(text: string): string {
  return text.replace(ENDS, '');
}

/** Names the first invisible character, such as `U+00A0 at position 8`; a blank is visible here. */
export function findInvisible(text: string): string | undefined {
  const match = FIRST.exec(text);
  if (match === null) return undefined;
  return `${toName(match[0])} at position ${match.index + 1}`;
}

export function toName(character: string): string {
  return `U+${character.codePointAt(0)?.toString(16).toUpperCase().padStart(4, '0')}`;
}
