const SLUG_LENGTH_MAX = 300;

/** Lower-case letters and digits joined by single hyphens; the id if the name has none. */
export function toSlug(name: string, id: string): string {
  const slug = toPlainLetters(name)
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, SLUG_LENGTH_MAX);
  return slug.replace(/^-|-$/g, '') || id;
}

/** Latin letters that Unicode does not decompose. */
const LETTERS: Readonly<Record<string, string>> = {
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  ø: 'o',
  đ: 'd',
  ð: 'd',
  ł: 'l',
  þ: 'th',
  ı: 'i',
};

/** Lower case without marks. */
export function toPlainLetters(text: string): string {
  const letters = text
    .normalize('NFKD')
    .replace(/\p{Mark}/gu, '')
    .toLowerCase();
  return letters.replace(/[ßæœøđðłþı]/g, (letter) => LETTERS[letter] ?? letter);
}
