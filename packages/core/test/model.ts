/**
 * A slow and literal second implementation of the rules (R9 to R15, R20), one customer at a time. It shares
 * types with the core, but no rules.
 */
import type { OrderLine } from '../src/idempotency.ts';
import type { OfferState } from '../src/orders/offer-selection.ts';
import type { OrderStatus } from '../src/orders/order-status.ts';
import type { AccountState, ProductState } from '../src/orders/place-order.ts';
import type { RiskRules } from '../src/orders/risk-rules.ts';

/** The table of R12. The moves of a held order depend on its earlier status; see `isLegalMove`. */
const MOVES: readonly (readonly [from: OrderStatus, to: OrderStatus])[] = [
  ['pending', 'pending_payment'],
  ['pending', 'processing'],
  ['pending_payment', 'processing'],
  ['pending', 'canceled'],
  ['pending_payment', 'canceled'],
  ['processing', 'complete'],
  ['pending', 'held'],
  ['pending_payment', 'held'],
  ['processing', 'held'],
  ['processing', 'closed'],
  ['complete', 'closed'],
  ['complete', 'complete'],
];

/** R12. `heldFrom` is the earlier status of a held order. */
export function isLegalMove(from: OrderStatus, to: OrderStatus, heldFrom: OrderStatus | null): boolean {
  if (from !== 'held') return MOVES.some((move) => move[0] === from && move[1] === to);
  const isPaid = heldFrom === 'processing';
  return to === heldFrom || to === (isPaid ? 'closed' : 'canceled');
}

export type ModelRecord =
  | 'locked-elsewhere'
  | { readonly line: OrderLine; readonly finishedAtMicros: number | null; readonly response: string };

/** `serve` changes it. */
export type Shop = {
  readonly nowMicros: number;
  readonly cooldownMs: number;
  readonly riskRules: RiskRules;
  /** Keyed by account id, a space and the idempotency key. */
  readonly records: Map<string, ModelRecord>;
  readonly accounts: AccountState[];
  readonly products: readonly ProductState[];
  readonly offers: OfferState[];
};

type Customer = {
  readonly accountId: string;
  readonly idempotencyKey: string;
  readonly line: OrderLine;
};

type Sale = {
  readonly offerId: string;
  readonly discountMinor: number;
  readonly totalPriceMinor: number;
};

/** A summary of the response, and the sale. */
export type ShopReply = { readonly said: string; readonly sale?: Sale };

export function serve(shop: Shop, customer: Customer): ShopReply {
  const key = `${customer.accountId} ${customer.idempotencyKey}`;
  const record = shop.records.get(key);
  if (record !== undefined) return { said: repeat(shop, record, customer.line) };
  // No response is sent before the whole batch is committed, so a duplicate in it finds the record open.
  shop.records.set(key, { line: customer.line, finishedAtMicros: null, response: '' });
  const account = shop.accounts.find(({ id }) => id === customer.accountId);
  if (account === undefined) throw new Error('the customer has no account');
  return sell(shop, account, customer.line);
}

function repeat(shop: Shop, record: ModelRecord, line: OrderLine): string {
  if (record === 'locked-elsewhere') return 'processing';
  if (JSON.stringify(record.line) !== JSON.stringify(line)) return 'key-reused';
  if (record.finishedAtMicros === null) return 'processing';
  const ageMicros = shop.nowMicros - record.finishedAtMicros;
  return ageMicros >= 0 && ageMicros < 1000 * shop.cooldownMs ? 'processing' : record.response;
}

function sell(shop: Shop, account: AccountState, line: OrderLine): ShopReply {
  const { quantity } = line;
  const stock = (offer: OfferState) => offer.availableText + offer.availableImage;
  const offer =
    line.kind === 'manual'
      ? shop.offers.find(({ id }) => id === line.offerId)
      : shop.offers
          .filter(({ productId, sellerId }) => productId === line.productId && sellerId !== account.sellerId)
          .filter((one) => one.isActive && one.priceMinor <= line.maxPriceMinor && stock(one) >= quantity)
          .sort((left, right) => (left.id > right.id ? 1 : -1))
          .sort((left, right) => stock(right) - stock(left))
          .sort((left, right) => left.priceMinor - right.priceMinor)
          .sort((left, right) => +(right.availableText >= quantity) - +(left.availableText >= quantity))[0];
  const productId = line.kind === 'auto' ? line.productId : offer?.productId;
  const product = shop.products.find(({ id }) => id === productId);
  // An offer that cannot fill the line has no price that a limit could reveal.
  const sum = offer?.isActive && stock(offer) >= quantity ? offer.priceMinor * quantity : undefined;
  const discount = Math.floor(((sum ?? 0) * account.discountBasisPoints + 5000) / 10_000);
  const total = sum === undefined ? undefined : sum - discount;
  const over = (value: number | undefined, limit: number | null) =>
    limit !== null && value !== undefined && value > limit;

  if (account.status !== 'active') return { said: 'account-not-active' };
  if (line.kind === 'manual' && offer !== undefined && offer.sellerId === account.sellerId)
    return { said: 'own-offer' };
  if (over(account.dayUnits + quantity, account.dailyUnitsMax)) return { said: 'daily-units-max' };
  if (over(total, account.orderValueMaxMinor)) return { said: 'order-value-max' };
  if (over(Number(account.daySpendMinor) + (total ?? Number.NaN), account.dailySpendMaxMinor))
    return { said: 'daily-spend-max' };
  if (product !== undefined && product.checkoutClass !== 'standard') return { said: 'product-excluded' };
  if (offer === undefined || total === undefined) return { said: 'offer-not-available' };
  if (offer.priceMinor > line.maxPriceMinor) return { said: 'max-price-exceeded' };
  if (account.paymentMethod === null) return { said: 'payment-not-configured' };
  if (account.paymentMethod === 'balance' && account.balanceMinor < total)
    return { said: 'insufficient-funds' };

  const sale = { offerId: offer.id, discountMinor: discount, totalPriceMinor: total };
  const hasText = offer.availableText >= quantity;
  const asksProvider = account.paymentMethod === 'gateway' && total > 0;
  account.hourOrders += 1;
  if (!asksProvider && !hasText) return { said: 'closed', sale };
  account.daySpendMinor += BigInt(total);
  account.dayUnits += quantity;
  if (hasText) {
    offer.nextUnit += quantity;
    offer.availableText -= quantity;
  }
  if (asksProvider) return { said: 'pending_payment', sale };
  if (account.paymentMethod === 'balance') account.balanceMinor -= total;
  const { aboveMinor, accountYoungerThanMicros, ordersPerHour } = shop.riskRules;
  const isRisky =
    over(total, aboveMinor ?? null) ||
    (accountYoungerThanMicros > 0 && shop.nowMicros < account.createdAtMicros + accountYoungerThanMicros) ||
    over(account.hourOrders, ordersPerHour || null);
  return { said: account.holdOrders || isRisky ? 'held' : 'complete', sale };
}
