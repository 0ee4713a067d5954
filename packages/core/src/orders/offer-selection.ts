export type OfferState = {
  readonly id: string;
  readonly productId: string;
  readonly sellerId: string;
  readonly sellerName: string;
  readonly priceMinor: number;
  readonly isActive: boolean;
  nextUnit: number;
  availableText: number;
  /** Available image units, which this interface cannot deliver (A44). */
  availableImage: number;
};

export function availableQuantity(offer: OfferState): number {
  return offer.availableText + offer.availableImage;
}

export function isDeliverable(offer: OfferState, quantity: number): boolean {
  return offer.availableText >= quantity;
}

function isEligible(offer: OfferState, ownSellerId: string | null): boolean {
  return offer.isActive && offer.sellerId !== ownSellerId;
}

/** Puts deliverable offers first (A47), then cheaper ones, then larger stocks, then lower ids (A31). */
function compareForAuto(left: OfferState, right: OfferState, quantity: number): number {
  return (
    Number(isDeliverable(right, quantity)) - Number(isDeliverable(left, quantity)) ||
    left.priceMinor - right.priceMinor ||
    availableQuantity(right) - availableQuantity(left) ||
    (left.id < right.id ? -1 : 1)
  );
}

export function selectOffer(
  offers: readonly OfferState[],
  line: { readonly quantity: number; readonly maxPriceMinor: number; readonly ownSellerId: string | null },
): OfferState | undefined {
  let best: OfferState | undefined;
  for (const offer of offers) {
    if (!isEligible(offer, line.ownSellerId)) continue;
    if (offer.priceMinor > line.maxPriceMinor || availableQuantity(offer) < line.quantity) continue;
    if (best === undefined || compareForAuto(offer, best, line.quantity) < 0) best = offer;
  }
  return best;
}

/** The largest quantity of a single offer, and the lowest price. */
export function summarizeOffers(
  offers: readonly OfferState[],
  ownSellerId: string | null,
): { readonly availableQuantity: number; readonly minPriceMinor: number | undefined } {
  let largest = 0;
  let minPriceMinor: number | undefined;
  for (const offer of offers) {
    const available = availableQuantity(offer);
    if (!isEligible(offer, ownSellerId) || available === 0) continue;
    largest = Math.max(largest, available);
    minPriceMinor = Math.min(minPriceMinor ?? offer.priceMinor, offer.priceMinor);
  }
  return { availableQuantity: largest, minPriceMinor };
}
