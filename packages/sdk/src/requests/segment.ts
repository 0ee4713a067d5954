/**
 * A part of a path. An id that is not a string would reach another address, or another order: order ids have 16 digits, and a
 * number keeps only 15 of them exactly.
 */
export function segment(name: string, id: string): string {
  // Programs in JavaScript have no types.
  if (typeof id !== 'string' || id === '') {
    const sent = id === '' ? 'an empty text' : typeof id;
    throw new TypeError(
      `${name} must be a string, exactly as the service returned it; this is ${sent}. Keep ids as text, because a number loses digits.`,
    );
  }
  return encodeURIComponent(id);
}
