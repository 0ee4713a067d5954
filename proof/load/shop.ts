import { randomUUID } from 'node:crypto';
import type { ClientCredentials } from '../../packages/server/test/support/killable-service.ts';
import type { SendOptions } from './http.ts';
import { fetchToken, importLines, operate } from './operator.ts';

const RICH_DEPOSIT_CENTS = 90_000_000_00;
/** So little that the account repeatedly runs out of money. */
const POOR_DEPOSIT_CENTS = 200_00;
const FIRST_PRODUCT = 10_000_000_000_000;

export type ShopSize = {
  readonly products: number;
  readonly offersEach: number;
  readonly stockEach: number;
  readonly resellers: number;
  readonly clientsEach?: number;
  readonly poorOneIn?: number;
};

export type Offer = { readonly id: string; readonly productId: string; readonly priceCents: number };

export type Account = {
  readonly id: string;
  readonly isPoor: boolean;
  depositedCents: number;
};

export type Buyer = { readonly account: Account; readonly credentials: ClientCredentials; token: string };

export type Shop = {
  readonly offers: readonly Offer[];
  readonly accounts: readonly Account[];
  readonly buyers: readonly Buyer[];
};

export async function openShop(url: string, size: ShopSize): Promise<Shop> {
  const { resellers, clientsEach = 1, poorOneIn = Number.POSITIVE_INFINITY } = size;
  const offers = await fillCatalogue(url, size);
  const buyers: Buyer[] = [];
  const accounts: Account[] = [];
  for (let index = 1; index <= resellers; index += 1) {
    const account = await openAccount(url, index % poorOneIn === 0);
    accounts.push(account);
    for (let client = 0; client < clientsEach; client += 1) buyers.push(await openClient(url, account));
  }
  return { offers, accounts, buyers };
}

/** Returns the offers in order. */
export async function fillCatalogue(
  url: string,
  { products: count, offersEach, stockEach }: Pick<ShopSize, 'products' | 'offersEach' | 'stockEach'>,
): Promise<Offer[]> {
  const sellerId = randomUUID();
  await importLines(url, 'sellers', [{ id: sellerId, name: 'Seller' }]);
  const products = Array.from({ length: count }, (_, index) => ({
    id: String(FIRST_PRODUCT + index),
    name: `Iron Meridian ${index}: Deluxe Edition (PC) Key EUROPE`,
    checkoutClass: 'standard',
  }));
  await importLines(url, 'products', products);
  const offers = products.flatMap(({ id: productId }, index) =>
    Array.from({ length: offersEach }, (_, place) => {
      const priceCents = 100 * (5 + (index % 40)) + 10 + place;
      return { id: randomUUID(), productId, priceCents };
    }),
  );
  await importLines(
    url,
    'offers',
    offers.map(({ id, productId, priceCents }) => {
      return { id, productId, sellerId, price: formatCents(priceCents), status: 'active' };
    }),
  );
  await importLines(
    url,
    'keys',
    offers.flatMap(({ id }) => newKeys(id, stockEach)),
  );
  return offers;
}

export function newKeys(offerId: string, count: number): { offerId: string; code: string }[] {
  return Array.from({ length: count }, () => ({ offerId, code: `KEY-${randomUUID()}` }));
}

async function openAccount(url: string, isPoor: boolean): Promise<Account> {
  const { id } = await operate(url, 'POST', '/accounts', { name: 'Shop', paymentMethod: 'balance' });
  const account = { id, isPoor, depositedCents: 0 };
  await deposit(url, account, isPoor ? POOR_DEPOSIT_CENTS : RICH_DEPOSIT_CENTS, 'first');
  return account;
}

async function openClient(url: string, account: Account): Promise<Buyer> {
  const { clientId, clientSecret } = await operate(url, 'POST', `/accounts/${account.id}/clients`, {});
  const credentials = { client_id: clientId, client_secret: clientSecret };
  return { account, credentials, token: await fetchToken(url, credentials) };
}

export async function openReseller(url: string): Promise<Buyer> {
  return openClient(url, await openAccount(url, false));
}

/** May be repeated with the same reference. */
export async function deposit(
  url: string,
  account: Account,
  cents: number,
  reference: string,
  options?: SendOptions,
): Promise<void> {
  const body = { amount: formatCents(cents), reference };
  await operate(url, 'POST', `/accounts/${account.id}/deposits`, body, options);
  account.depositedCents += cents;
}

export function formatCents(cents: number): string {
  return (cents / 100).toFixed(2);
}
