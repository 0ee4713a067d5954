/** Products, offers, and one reseller of each kind. */
import { createRandom } from '../../packages/server/test/support/random.ts';
import type { Model, ModelAccount } from './model.ts';
import type { Node, Reply } from './node.ts';
import { CUSTOMERS } from './provider.ts';

type Send = (name: Parameters<Node['call']>[0], request: Record<string, unknown>) => Promise<Reply>;

const PLAIN = {
  status: 'active',
  paymentMethod: 'balance',
  discountBasisPoints: 0,
  holdOrders: false,
  sellerId: null,
  orderValueMaxMinor: null,
  dailySpendMaxMinor: null,
  dailyUnitsMax: null,
  balanceMinor: 0,
  daySpendMinor: 0n,
  dayUnits: 0,
  createdAtMicros: 0,
  hourOrders: 0,
  customer: null,
  spendDay: '',
  hour: 0,
} as const satisfies Omit<ModelAccount, 'id'>;

const GATEWAY = CUSTOMERS.map((customer, index) => ({
  paymentMethod: 'gateway' as const,
  customer,
  discountBasisPoints: 777 * index,
}));

const FIRST_DEPOSIT = 3000;

export async function openShop(model: Model, send: Send): Promise<void> {
  const random = createRandom('shop');
  const sellers = [random.uuid(), random.uuid()];
  const accounts: Partial<ModelAccount>[] = [
    { discountBasisPoints: 50 },
    { discountBasisPoints: 333, dailyUnitsMax: 60, orderValueMaxMinor: 9000, dailySpendMaxMinor: 30_000 },
    { holdOrders: true, discountBasisPoints: 250 },
    { sellerId: sellers[0] ?? null, discountBasisPoints: 5000 },
    { discountBasisPoints: 10_000 },
    ...GATEWAY,
    {
      paymentMethod: 'gateway',
      customer: 'sim_late',
      discountBasisPoints: 1250,
      holdOrders: true,
      dailyUnitsMax: 40,
    },
    { paymentMethod: null },
  ];
  for (const [index, id] of sellers.entries()) {
    await send('putSeller', { params: { sellerId: id }, body: { name: `Seller ${index}` } });
    model.counts.audits += 1;
  }
  for (let index = 0; index < 6; index += 1) await openProduct(model, send, index);
  for (const [index, price] of [120, 120, 95, 250, 7, 333, 1, 180, 60, 210].entries()) {
    const offer = {
      id: random.uuid(),
      productId: model.products[index % 6]?.id ?? '',
      sellerId: sellers[index % 2] ?? '',
      sellerName: `Seller ${index % 2}`,
      priceMinor: price,
      isActive: true,
      nextUnit: 1,
      availableText: 0,
      availableImage: 0,
    };
    model.offers.push(offer);
    await send('putOffer', { params: { offerId: offer.id }, body: offerBody(offer) });
    model.counts.audits += 1;
    for (const kind of ['text', 'image'] as const) {
      const codes = Array.from(
        { length: kind === 'text' ? 12 : index % 3 },
        (_, place) => `FIRST-${index}-${kind}-${place}`,
      );
      if (codes.length === 0) continue;
      await send('addKeys', {
        params: { offerId: offer.id },
        body: { keys: codes.map((code) => ({ code, kind })) },
      });
      model.restock(offer.id, kind, codes);
    }
  }
  for (const change of accounts) await openAccount(model, send, change);
}

export function offerBody(offer: Model['offers'][number]) {
  const { productId, sellerId, priceMinor, isActive } = offer;
  return {
    productId,
    sellerId,
    price: (priceMinor / 100).toFixed(2),
    status: isActive ? 'active' : 'paused',
  };
}

async function openProduct(model: Model, send: Send, index: number): Promise<void> {
  const checkoutClass = index === 5 ? ('esim' as const) : ('standard' as const);
  const product = { id: String(20_000_000_000_000 + index), name: `Product ${index}`, checkoutClass };
  model.products.push(product);
  await send('putProduct', {
    params: { productId: product.id },
    body: { name: product.name, checkoutClass },
  });
  model.counts.audits += 1;
}

async function openAccount(model: Model, send: Send, change: Partial<ModelAccount>): Promise<void> {
  const account = { ...PLAIN, ...change };
  const money = (minor: number) => (minor / 100).toFixed(2);
  const limits = {
    ...(account.orderValueMaxMinor === null ? {} : { orderValueMax: money(account.orderValueMaxMinor) }),
    ...(account.dailySpendMaxMinor === null ? {} : { dailySpendMax: money(account.dailySpendMaxMinor) }),
    ...(account.dailyUnitsMax === null ? {} : { dailyUnitsMax: account.dailyUnitsMax }),
  };
  const { body } = await send('createAccount', {
    body: {
      name: 'Shop',
      paymentMethod: account.paymentMethod,
      discountPercent: money(account.discountBasisPoints),
      holdOrders: account.holdOrders,
      ...(account.customer === null ? {} : { gatewayCustomer: account.customer }),
      ...(account.sellerId === null ? {} : { sellerId: account.sellerId }),
      limits,
    },
  });
  const { id } = body.data;
  model.accounts.push({ ...account, id, createdAtMicros: model.nowMicros });
  model.counts.audits += 1;
  await send('createDeposit', {
    params: { accountId: id },
    body: { amount: money(FIRST_DEPOSIT), reference: 'first' },
  });
  model.book(id, 'deposit', 'first', FIRST_DEPOSIT);
}
