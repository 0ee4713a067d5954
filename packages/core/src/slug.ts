/** The part of a product's address that is made from its name when the operator gives none. */

/** The limit of the contract's ProductBody. */
const SLUG_LENGTH_MAX = 300;

/** Lower-case letters and digits joined by single hyphens; the id when the name has no Latin letter and no digit. */
export function slugOf(name: string, id: string): string {
  const plain = name
    .normalize('NFKD')
    .replace(/\p{Mark}/gu, '')
    .toLowerCase();
  const slug = plain.replace(/[^a-z0-9]+/g, '-').slice(0, SLUG_LENGTH_MAX);
  return slug.replace(/^-|-$/g, '') || id;
}
