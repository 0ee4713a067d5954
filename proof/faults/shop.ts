/** What a load needs: resellers with money and clients, offers with stock, and the operator who keeps both up. */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import {
  type ClientCredentials,
  operateService,
  tokenOf,
} from '../../packages/server/test/support/killable-service.ts';

const RESELLER_COUNT = 8;
const CLIENTS_EACH = 2;
const OFFER_COUNT = 12;
const UNITS_EACH = 400;
/** The most of one request. */
const KEYS_MAX = 1000;

const RICH_DEPOSIT_CENTS = 50_000_000_00;
/** One reseller in four runs out of money and is topped up again and again. */
const POOR_DEPOSIT_CENTS = 200_00;

/** One client of a reseller, with its token. */
export type Buyer = {
  readonly account: ShopAccount;
  readonly credentials: ClientCredentials;
  token: string;
};

export type ShopAccount = {
  readonly id: string;
  readonly isPoor: boolean;
  /** What was confirmed to the operator as booked. */
  depositedCents: number;
};

type ShopOffer = { readonly id: string; readonly productId: string; readonly priceCents: number };

export type Shop = {
  readonly buyers: readonly Buyer[];
  readonly accounts: readonly ShopAccount[];
  readonly offers: readonly ShopOffer[];
};

/** Fills an installation by way of one of its nodes. Product ids begin at 5 * 10^13. */
export async function openShop(url: string): Promise<Shop> {
  const place = { url };
  const sellerId = randomUUID();
  await operateService(place, 'PUT', `/sellers/${sellerId}`, { name: 'Seller' });
  const offers = Array.from({ length: OFFER_COUNT }, (_, index) => ({
    id: randomUUID(),
    // Two offers of each product, the second one more expensive.
    productId: String(50_000_000_000_000 + Math.floor(index / 2)),
    priceCents: 100 + 37 * index,
  }));
  // One after the other: changes of the catalogue wait for each other, and on a busy machine for too long.
  for (const { id, productId, priceCents } of offers) {
    const product = { name: `Product ${productId}`, checkoutClass: 'standard' };
    await operateService(place, 'PUT', `/products/${productId}`, product);
    const offer = { productId, sellerId, price: formatCents(priceCents), status: 'active' };
    await operateService(place, 'PUT', `/offers/${id}`, offer);
    await addKeys(url, id, newCodes(UNITS_EACH));
  }
  const buyers = await Promise.all(
    Array.from({ length: RESELLER_COUNT }, (_, index) => openReseller(url, index)),
  );
  return { buyers: buyers.flat(), accounts: buyers.flatMap(([first]) => first?.account ?? []), offers };
}

async function openReseller(url: string, index: number): Promise<Buyer[]> {
  const place = { url };
  const body = { name: `Shop ${index}`, paymentMethod: 'balance' };
  const { id } = await operateService(place, 'POST', '/accounts', body);
  const account = { id, isPoor: index % 4 === 3, depositedCents: 0 };
  await deposit(url, account, account.isPoor ? POOR_DEPOSIT_CENTS : RICH_DEPOSIT_CENTS, 'first');
  const buyers: Buyer[] = [];
  for (let client = 0; client < CLIENTS_EACH; client += 1) {
    const { clientId, clientSecret } = await operateService(place, 'POST', `/accounts/${id}/clients`, {});
    const credentials = { client_id: clientId, client_secret: clientSecret };
    buyers.push({ account, credentials, token: await tokenOf(place, credentials) });
  }
  return buyers;
}

export function newCodes(count: number): string[] {
  return Array.from({ length: Math.min(count, KEYS_MAX) }, () => `KEY-${randomUUID()}`);
}

/** May be repeated with the same codes: existing ones stay as they are. */
export async function addKeys(url: string, offerId: string, codes: readonly string[]): Promise<void> {
  const keys = codes.map((code) => ({ code }));
  await operateService({ url }, 'POST', `/offers/${offerId}/keys`, { keys });
}

/** May be repeated with the same reference. */
export async function deposit(
  url: string,
  account: ShopAccount,
  cents: number,
  reference: string,
): Promise<void> {
  const body = { amount: formatCents(cents), reference };
  await operateService({ url }, 'POST', `/accounts/${account.id}/deposits`, body);
  account.depositedCents += cents;
}

export function formatCents(cents: number): string {
  assert.ok(Number.isSafeInteger(cents));
  return `${Math.floor(cents / 100)}.${String(cents % 100).padStart(2, '0')}`;
}
