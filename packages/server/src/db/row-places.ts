/**
 * Remembers where rows are (ctid): an index scan visits every row version that an open snapshot keeps, but
 * a place leads to only one. A lookup also compares the id, so a wrong place only costs a second lookup.
 */

/** About 3 MB. Beyond this size, the map is cleared. */
const PLACES_MAX = 20_000;

export class RowPlaces {
  readonly #places = new Map<string, string>();

  /** Returns an element of a tid[]. */
  of(id: string): string | null {
    return this.#places.get(id) ?? null;
  }

  /** `tids` is a tid[] as text, in the order of the ids. */
  learn(ids: readonly string[], tids: string | null): void {
    if (tids === null) return;
    if (this.#places.size + ids.length > PLACES_MAX) this.#places.clear();
    const places = tids.slice(1, -1).match(/"[^"]*"/g) ?? [];
    for (const [index, place] of places.entries()) {
      const id = ids[index];
      if (id !== undefined) this.#places.set(id, place);
    }
  }
}
