/** Lists the largest changes first, so that an operator sees 1,99 misread as 199 before the offer sells. */
import type { ImportResult } from '@keyport/contract/catalogue/imports';
import { formatMinor } from '@keyport/core/money';
import type { Db } from '../db/schema.ts';
import type { OfferChange } from '../listings/catalogue.ts';
import { listOfferNames } from './import-lists.sql.ts';

type PriceChanges = NonNullable<ImportResult['prices']>;

const LARGEST_COUNT = 100;
const OUTLIER_FACTOR = 3;

type Change = {
  readonly line: number;
  readonly offerId: string;
  readonly beforeMinor: number;
  readonly afterMinor: number;
};

export class PriceTally {
  #changed = 0;
  #outliers = 0;
  #paused = 0;
  #activated = 0;
  #largest: Change[] = [];

  add(changes: readonly OfferChange[], toLine: (index: number) => number): void {
    for (const { index, offer, before } of changes) {
      if (before === null) continue;
      if (before.status !== offer.status) {
        if (offer.status === 'paused') this.#paused += 1;
        else this.#activated += 1;
      }
      if (before.priceMinor === offer.priceMinor) continue;
      const change = {
        line: toLine(index),
        offerId: offer.id,
        beforeMinor: before.priceMinor,
        afterMinor: offer.priceMinor,
      };
      this.#changed += 1;
      if (isOutlier(change)) this.#outliers += 1;
      this.#largest.push(change);
    }
    this.#largest.sort((one, other) => computeFactor(other) - computeFactor(one) || one.line - other.line);
    this.#largest.length = Math.min(this.#largest.length, LARGEST_COUNT);
  }

  async result(db: Db): Promise<PriceChanges> {
    const offerIds = this.#largest.map(({ offerId }) => offerId);
    const names = await listOfferNames(db, offerIds);
    const largest = this.#largest.map((change) => {
      const { line, offerId, beforeMinor, afterMinor } = change;
      const { productName = '', sellerName = '' } = names.get(offerId) ?? {};
      const prices = { before: formatMinor(beforeMinor), after: formatMinor(afterMinor) };
      return { line, offerId, productName, sellerName, ...prices, isOutlier: isOutlier(change) };
    });
    return {
      changed: this.#changed,
      outliers: this.#outliers,
      paused: this.#paused,
      activated: this.#activated,
      largest,
    };
  }
}

function isOutlier({ beforeMinor, afterMinor }: Change): boolean {
  return afterMinor > OUTLIER_FACTOR * beforeMinor || beforeMinor > OUTLIER_FACTOR * afterMinor;
}

function computeFactor({ beforeMinor, afterMinor }: Change): number {
  return Math.max(afterMinor / beforeMinor, beforeMinor / afterMinor);
}
