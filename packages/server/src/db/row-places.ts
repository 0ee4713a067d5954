/**
 * An index leads to every version that an open snapshot keeps, a place to one. A wrong place costs the
 * look-up by the index as well, since each look-up compares the id.
 */

/** About 3 MB. Busy rows come back at once. */
const PLACES_MAX = 20_000;

export class RowPlaces {
  readonly #places = new Map<string, string>();

  /** As an element of an array of type tid[]. */
  of(id: string): string | null {
    return this.#places.get(id) ?? null;
  }

  /** `tids`: the text of an array in the order of the ids. */
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
