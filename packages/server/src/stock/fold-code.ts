/**
 * The part of a product key that counts in comparisons: one key in two spellings must not be sold twice. What is
 * stored and delivered stays as it was given. A105.
 */

/** Blanks, hyphens and dashes, and characters that cannot be seen. */
const WRITING = /[\s\p{Pd}\p{Cf}]/gu;

/** Equal for codes that differ in upper and lower case, blanks, dashes, or ways to write a character only. */
export function foldCode(code: string): string {
  const folded = code.normalize('NFKC').replace(WRITING, '').toUpperCase();
  // Of a code that is nothing but these, all of it counts.
  return folded === '' ? code : folded;
}
