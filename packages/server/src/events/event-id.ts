/** Ids contain the commit time and a place in the transaction, so that none recurs after a restore. A300. */

/** Limits the number of events per transaction. */
export const PLACE_BITS = 10;
const PREFIX = 'evt_';
const DIGITS = 13;
const BASE = 36;
const FORM = /^evt_[0-9a-z]{13}$/;
const ID_MAX = 2n ** 63n - 1n;

/** `id` is a bigint in decimal. */
export function formatEventId(id: string): string {
  return `${PREFIX}${BigInt(id).toString(BASE).padStart(DIGITS, '0')}`;
}

/** Undefined if no event can have this id. */
export function parseEventId(text: string): string | undefined {
  if (!FORM.test(text)) return undefined;
  let id = 0n;
  for (const digit of text.slice(PREFIX.length))
    id = id * BigInt(BASE) + BigInt(Number.parseInt(digit, BASE));
  return id > ID_MAX ? undefined : String(id);
}

export function eventMicros(id: string): number {
  return Number(BigInt(id) >> BigInt(PLACE_BITS));
}

/** The last place means the end of the transaction. */
export function eventIdAt(stampMicros: number, place = 2 ** PLACE_BITS - 1): string {
  return String((BigInt(stampMicros) << BigInt(PLACE_BITS)) + BigInt(place));
}
