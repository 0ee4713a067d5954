/**
 * Checks that memory has each product once, in its place and as a fresh read would load it (I66). Works in
 * portions without a snapshot; products that just changed are compared again after a pull.
 */

import type { Catalogue } from '@keyport/catalogue/catalogue';
import { type CatalogueProduct, prepareProduct } from '@keyport/catalogue/render';
import { formatDateTime } from '@keyport/core/date-time';
import type { Database } from '../db/engines/database.ts';
import type { Session } from '../db/engines/prepared.ts';
import { runPipelinedTransaction } from '../db/transaction.ts';
import { listProductsById, listStampedIds } from './compare-catalogue.sql.ts';
import { toProduct } from './feed.sql.ts';

/** This many products take a few milliseconds per turn. */
const PORTION_SIZE = 250;
const IDS_SIZE = 5000;
const LOOKS_MAX = 10;
/** A database server silent for longer counts as unreachable. */
const SILENCE_MAX_MS = 5_000;
const EXAMPLES_MAX = 10;

export type Comparison = {
  readonly checked: number;
  readonly broken: number;
  readonly examples: readonly string[];
};

export type ComparisonDeps = {
  readonly database: Database;
  readonly catalogue: Catalogue;
  readonly pull: () => Promise<void>;
  readonly rest: (tookMs: number) => Promise<void>;
};

export async function compareCatalogue(deps: ComparisonDeps): Promise<Comparison> {
  const comparing = new Comparing(deps);
  await comparing.compareHeld();
  await comparing.findMissing();
  return comparing.found;
}

class Comparing {
  readonly #deps: ComparisonDeps;
  #checked = 0;
  #broken = 0;
  readonly #examples: string[] = [];
  #last: CatalogueProduct | undefined;

  constructor(deps: ComparisonDeps) {
    this.#deps = deps;
  }

  get found(): Comparison {
    return { checked: this.#checked, broken: this.#broken, examples: this.#examples };
  }

  async compareHeld(): Promise<void> {
    const { catalogue, rest } = this.#deps;
    for (let slot = 0; slot < catalogue.productCount; slot += PORTION_SIZE) {
      const startedAtMs = performance.now();
      await this.#compare(catalogue.idsFrom(slot, PORTION_SIZE));
      await rest(performance.now() - startedAtMs);
    }
  }

  async findMissing(): Promise<void> {
    const { database, catalogue, rest } = this.#deps;
    for (let afterId = 0, isMore = true; isMore; ) {
      const startedAtMs = performance.now();
      const ids = await read(database, (session) => listStampedIds(session, { afterId, limit: IDS_SIZE }));
      await this.#compare(ids.filter((id) => catalogue.toSlot(id) === undefined));
      await rest(performance.now() - startedAtMs);
      afterId = ids.at(-1) ?? afterId;
      isMore = ids.length === IDS_SIZE;
    }
  }

  async #compare(ids: readonly number[]): Promise<void> {
    const { database, catalogue, pull } = this.#deps;
    let open = ids;
    for (let looks = 1; open.length > 0; looks += 1) {
      const seenThroughMicros = catalogue.newestStampMicros;
      const wanted = open;
      const rows = await read(database, (session) => listProductsById(session, wanted));
      const stored = new Map(rows.map((row) => [row.id, toProduct(row)]));
      const changed: number[] = [];
      // There is no await in this loop, so the memory does not change.
      for (const id of open) {
        const product = stored.get(id);
        const difference = this.#differenceOf(id, product);
        const stampMicros = Math.max(product?.stampMicros ?? 0, catalogue.toStamp(id));
        if (difference !== undefined && stampMicros > seenThroughMicros && looks < LOOKS_MAX)
          changed.push(id);
        else this.#count(difference);
      }
      open = changed;
      if (open.length > 0) await pull();
    }
  }

  #count(difference: string | undefined): void {
    this.#checked += 1;
    if (difference === undefined) return;
    this.#broken += 1;
    if (this.#examples.length < EXAMPLES_MAX) this.#examples.push(difference);
  }

  #differenceOf(id: number, product: CatalogueProduct | undefined): string | undefined {
    const { catalogue } = this.#deps;
    const heldMicros = catalogue.toStamp(id);
    if (product === undefined) return `product ${id} is in memory only`;
    if (catalogue.toSlot(id) === undefined) return `product ${id} is not in memory`;
    if (heldMicros !== product.stampMicros) {
      const versions = [product.stampMicros, heldMicros].map(formatDateTime);
      return `product ${id} was changed at ${versions[0]}, but the memory has its version of ${versions[1]}`;
    }
    if (!catalogue.holds(prepareProduct(product))) return `product ${id} differs from the database`;
    return this.#positionProblem(product);
  }

  #positionProblem(product: CatalogueProduct): string | undefined {
    const { catalogue } = this.#deps;
    const before = this.#last;
    this.#last = product;
    if (before === undefined) return undefined;
    const isBefore = before.firstStampMicros < product.firstStampMicros;
    const isHeldBefore = (catalogue.toSlot(before.id) ?? 0) < (catalogue.toSlot(product.id) ?? 0);
    return isBefore === isHeldBefore
      ? undefined
      : `product ${product.id} is on the wrong side of product ${before.id}`;
  }
}

function read<Rows>(database: Database, load: (session: Session) => Promise<Rows>): Promise<Rows> {
  return runPipelinedTransaction(
    database,
    { isSnapshot: true, keepsPlans: true, silenceMaxMs: SILENCE_MAX_MS },
    { load, save: (_session, rows) => ({ value: rows, sent: [] }) },
  );
}
