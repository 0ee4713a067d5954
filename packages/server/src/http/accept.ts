/** Which of two media types the caller asks for, by the Accept header (RFC 9110, section 12.5.1). */

/**
 * True when the header wants CSV rather than JSON. Whatever does not name CSV, or weighs JSON as much, gets JSON: it is
 * what every other answer is.
 */
export function prefersCsv(accept: string | undefined): boolean {
  const weights = new Map((accept ?? '').split(',').map(parseRange));
  const csv = weights.get('text/csv') ?? weights.get('text/*') ?? 0;
  const json = weights.get('application/json') ?? weights.get('application/*') ?? 0;
  return csv > json;
}

function parseRange(text: string): [mediaType: string, weight: number] {
  const [mediaType = '', ...parameters] = text.split(';').map((part) => part.trim().toLowerCase());
  const weight = parameters.find((parameter) => parameter.startsWith('q='))?.slice(2) ?? '1';
  return [mediaType, Number(weight) || 0];
}
