const ENDS = /^[\s\p{C}]+|[\s\p{C}]+$/gu;
const HIDDEN = /[^\P{White_Space} ]|[\p{C}\p{Default_Ignorable_Code_Point}]/u;

/** Leaves out what files and copied texts have at both ends. Throws TypeError. */
export function checkedText(name: string, given: string): string {
  const text = String(given).replace(ENDS, '');
  const hidden = HIDDEN.exec(text);
  if (hidden === null) return text;
  const code = hidden[0].codePointAt(0)?.toString(16).toUpperCase().padStart(4, '0');
  throw new TypeError(
    `${name} has U+${code} at position ${hidden.index + 1}, which cannot be seen. Remove it.`,
  );
}
