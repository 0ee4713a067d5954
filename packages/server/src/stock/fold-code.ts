/** A key in two spellings must not be sold twice. The stored code stays as it was given. A105. */

/** Blanks, hyphens and dashes, and characters that cannot be seen. */
const WRITING = /[\s\p{Pd}\p{Cf}]/gu;

export function foldCode(code: string): string {
  const folded = code.normalize('NFKC').replace(WRITING, '').toUpperCase();
  // If nothing remains, the whole code counts.
  return folded === '' ? code : folded;
}
