import type { KeyportEvent } from '../events.ts';
import type { CreateOrderItem, EventType } from '../generated/reseller-contract.ts';
import type { Keyport } from '../keyport.ts';
import { KeyportError } from '../requests/errors.ts';
import { cursorOfNow } from './events.ts';
import { CommandFailure } from './failure.ts';
import type { Session } from './session.ts';

/** Longer than any keys window of the sandbox. */
const ADVANCED_HOURS = 720;

/** Events arrive within a second. */
const WAIT_SECONDS = 10;

const EVERYWHERE = ['0.0.0.0/0', '::/0'];

const REASON = { reason: 'keyport trigger' };

/** Cannot be triggered, because the sandbox delivers orders immediately. */
const PASSED_THROUGH = 'order.processing';

export type TriggeredType = Exclude<EventType, typeof PASSED_THROUGH>;

const RECIPES: Readonly<Record<TriggeredType, (keyport: Keyport) => Promise<unknown>>> = {
  'order.pending_payment': placeUnpaidOrder,
  'order.complete': (keyport) => placeOrder(keyport),
  'order.held': (keyport) => placeOrder(keyport, 'held'),
  'order.canceled': async (keyport) => keyport.sandbox.cancelOrder(await placeUnpaidOrder(keyport), REASON),
  'order.closed': refundOrder,
  'order.refunded': refundOrder,
  'order.keys_expiring': async (keyport) =>
    keyport.sandbox.advanceOrder(await placeOrder(keyport), { hours: ADVANCED_HOURS }),
  'account.balance_low': lowerBalance,
  'account.status_changed': async ({ sandbox }) => {
    await sandbox.updateAccount({ status: 'suspended' });
    await sandbox.updateAccount({ status: 'active' });
  },
  'client.changed': async ({ clients }) => {
    // Only the calling client may change itself, and the list does not say which one that is.
    for (const { clientId, allowedAddresses } of await clients.list()) {
      const change = { allowedAddresses: [...allowedAddresses, ...EVERYWHERE] };
      const isOwn = await clients.update(clientId, change).then(
        () => true,
        (error: unknown) => {
          if (error instanceof KeyportError && error.status === 403) return false;
          throw error;
        },
      );
      if (isOwn) return void (await clients.update(clientId, { allowedAddresses }));
    }
    throw new CommandFailure('the account has no client that may change itself');
  },
  'reservation.expired': expireReservation,
  'claim.decided': decideClaim,
  'webhook.test': async ({ webhookEndpoints }) => {
    const [endpoint] = await webhookEndpoints.list();
    if (endpoint === undefined)
      throw new CommandFailure('the account has no webhook endpoint; create one first');
    await webhookEndpoints.test(endpoint.id);
  },
};

export const TRIGGERED_TYPES: readonly string[] = Object.keys(RECIPES);

export function typeRule(text: string): string {
  return text === PASSED_THROUGH
    ? 'Orders in the sandbox do not stay in this status.'
    : `It must be one of ${TRIGGERED_TYPES.join(', ')}.`;
}

export function isTriggeredType(text: string): text is TriggeredType {
  return TRIGGERED_TYPES.includes(text);
}

export async function trigger(session: Session, type: TriggeredType): Promise<KeyportEvent> {
  const { keyport, explain } = session;
  const cursor = await cursorOfNow(session);
  try {
    await RECIPES[type](keyport);
    const pages = keyport.events.list({ cursor, types: [type], wait: WAIT_SECONDS }).pages();
    const { value } = await pages.next();
    const [event] = value?.data ?? [];
    if (event !== undefined) return event;
  } catch (error) {
    throw explain(error);
  }
  throw new CommandFailure(`no event ${type} arrived; see the service's log`);
}

async function placeOrder(keyport: Keyport, scenario?: string): Promise<string> {
  return (await keyport.orders.create(await someItem(keyport), { scenario })).id;
}

async function someItem({ products }: Keyport): Promise<CreateOrderItem> {
  const { data } = await products.list({ itemsPerPage: 10 }).page(1);
  const [product] = data;
  if (product === undefined) throw new CommandFailure('no product is on offer');
  return { auto: { productId: product.id, quantity: 1, maxPrice: product.minPrice } };
}

async function expireReservation(keyport: Keyport): Promise<void> {
  const { id } = await keyport.reservations.create({ ...(await someItem(keyport)), ttlSeconds: 60 });
  await keyport.sandbox.advanceReservation(id, { seconds: 60 });
}

async function placeUnpaidOrder(keyport: Keyport): Promise<string> {
  return placeOrder(keyport, 'pending-payment').catch((error: unknown) => {
    if (error instanceof KeyportError && error.is('order-not-paid')) return error.data.orderId;
    throw error;
  });
}

async function refundOrder(keyport: Keyport): Promise<void> {
  await keyport.sandbox.refundOrder(await placeOrder(keyport), REASON);
}

async function decideClaim(keyport: Keyport): Promise<void> {
  const orderId = await placeOrder(keyport);
  const [item] = await keyport.orders.keys(orderId);
  if (item === undefined) throw new CommandFailure('the order has no keys');
  const codes = item.keys.map(({ code }) => code);
  const input = { orderId, itemId: item.item.id, codes, reason: 'invalid' } as const;
  const { id, keys } = await keyport.claims.create(input);
  const decisions = keys.map((key) => ({ keyId: key.id, decision: 'reject' as const }));
  await keyport.sandbox.decideClaim(id, { decisions, answer: REASON.reason });
}

async function lowerBalance({ account, sandbox }: Keyport): Promise<void> {
  const { balance, balanceLowThreshold } = await account.get();
  await sandbox.updateAccount({ balance: '100.00' });
  await sandbox.updateAccount({ balanceLowThreshold: '50.00', balance: '40.00' });
  await sandbox.updateAccount({ balanceLowThreshold, balance });
}
