/** Accounts take turns, so that the many orders of one account hardly delay the others. */
export class FairQueue<Item extends { readonly sinceMs: number }> {
  /** Lines by account, next turn first; no line is empty. */
  readonly #lines = new Map<string, Item[]>();
  #length = 0;

  get length(): number {
    return this.#length;
  }

  push(accountId: string, item: Item): void {
    const line = this.#lines.get(accountId);
    if (line === undefined) this.#lines.set(accountId, [item]);
    else line.push(item);
    this.#length += 1;
  }

  take(count: number): Item[] {
    const taken: Item[] = [];
    // An account that had its turn moves to the map's end, where this loop reaches it again.
    for (const [accountId, line] of this.#lines) {
      if (taken.length === count) break;
      const item = line.shift();
      this.#lines.delete(accountId);
      if (line.length > 0) this.#lines.set(accountId, line);
      if (item !== undefined) taken.push(item);
    }
    this.#length -= taken.length;
    return taken;
  }

  takeOlderThan(sinceMs: number): Item[] {
    const taken: Item[] = [];
    for (const [accountId, line] of this.#lines) {
      for (let [item] = line; item !== undefined && item.sinceMs < sinceMs; [item] = line) {
        taken.push(item);
        line.shift();
      }
      if (line.length === 0) this.#lines.delete(accountId);
    }
    this.#length -= taken.length;
    return taken;
  }

  takeNewest(accountId: string): Item | undefined {
    const line = this.#lines.get(accountId);
    const item = line?.pop();
    if (line?.length === 0) this.#lines.delete(accountId);
    if (item !== undefined) this.#length -= 1;
    return item;
  }
}
