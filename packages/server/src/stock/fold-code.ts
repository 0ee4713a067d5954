/** A key in two spellings must not be sold twice. The stored code keeps its spelling. A105. */

/** Blanks, hyphens, dashes and invisible characters. */
const WRITING = /[\s\p{Pd}\p{Cf}]/gu;

export function foldCode(code: string): string {
  const folded = code.normalize('NFKC').replace(WRITING, '').toUpperCase();
  // If nothing remains, the whole code counts.
  return folded === '' ? code : folded;
}
