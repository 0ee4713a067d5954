/** A key in two spellings must not be sold twice. A105. */

/** Blanks, hyphens, dashes and invisible characters. */
const WRITING = /[\s\p{Pd}\p{Cf}]/gu;

export function foldCode(code: string): string {
  const folded = code.normalize('NFKC').replace(WRITING, '').toUpperCase();
  return folded === '' ? code : folded;
}
