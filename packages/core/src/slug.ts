const SLUG_LENGTH_MAX = 300;

/** Lower-case letters and digits joined by single hyphens; the id if the name has none. */
export function slugOf(name: string, id: string): string {
  const plain = name
    .normalize('NFKD')
    .replace(/\p{Mark}/gu, '')
    .toLowerCase();
  const slug = plain.replace(/[^a-z0-9]+/g, '-').slice(0, SLUG_LENGTH_MAX);
  return slug.replace(/^-|-$/g, '') || id;
}
