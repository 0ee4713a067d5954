/** `keyport trigger`: makes an event happen in the sandbox, through the operations that everybody has. */
import { randomUUID } from 'node:crypto';
import type { Event } from '@keyport/contract/events';
import { must } from '@keyport/core/assert';
import { EVENT_TYPES, type EventType } from '@keyport/core/events';
import { type Command, InvalidArgumentError } from 'commander';
import type { ApiClient } from '../api-client.ts';
import { addLeafCommand } from '../command-shape.ts';
import { addClientOptions, addUrlOption, type ClientOptions, connectReseller } from '../connection.ts';
import { cursorOfNow, nextEvents } from '../event-stream.ts';
import { CommandFailure } from '../failure.ts';
import { formatJson, formatTree } from '../output.ts';

type Options = ClientOptions & { readonly json?: true; readonly url?: string };

/** Beyond the end of any keys window that is told of. */
const ADVANCED_HOURS = 720;

/** Events come within a second. */
const WAIT_SECONDS = '10';

const REASON = { reason: 'keyport trigger' };

/** Local stock is delivered at once, so no order stays in it. */
const PASSED_THROUGH = 'order.processing';

type TriggeredType = Exclude<EventType, typeof PASSED_THROUGH>;

const TRIGGERED_TYPES = EVENT_TYPES.filter((type): type is TriggeredType => type !== PASSED_THROUGH);

const RECIPES: Readonly<Record<TriggeredType, (client: ApiClient) => Promise<unknown>>> = {
  'order.complete': (client) => placeOrder(client),
  'order.held': (client) => placeOrder(client, 'held'),
  'order.pending_payment': (client) => placeUnpaidOrder(client),
  'order.canceled': async (client) => {
    const params = { orderId: await placeUnpaidOrder(client) };
    await client.call('cancelSandboxOrder', { params, body: REASON });
  },
  'order.closed': refundOrder,
  'order.refunded': refundOrder,
  'order.keys_expiring': async (client) => {
    const params = { orderId: await placeOrder(client) };
    await client.call('advanceSandboxOrder', { params, body: { hours: ADVANCED_HOURS } });
  },
  'account.balance_low': lowerBalance,
  'account.status_changed': async (client) => {
    await client.call('updateSandboxAccount', { body: { status: 'suspended' } });
    await client.call('updateSandboxAccount', { body: { status: 'active' } });
  },
  'webhook.test': async (client) => {
    const [endpoint] = (await client.call('listWebhookEndpoints')).body.data ?? [];
    if (endpoint === undefined)
      throw new CommandFailure('the account has no webhook endpoint; create one first');
    await client.call('testWebhookEndpoint', { params: { endpointId: endpoint.id } });
  },
};

export function addTriggerCommand(program: Command): void {
  const trigger = addLeafCommand(program, {
    name: 'trigger',
    summary: 'Make an event of this type happen in the sandbox, and print it',
    example: 'keyport trigger order.complete',
  });
  addClientOptions(addUrlOption(trigger))
    .argument('<type>', `one of ${TRIGGERED_TYPES.join(', ')}`, parseType)
    .action(async (type: TriggeredType, { json, url, ...credentials }: Options) => {
      const client = await connectReseller(url, credentials);
      const cursor = await cursorOfNow(client);
      await RECIPES[type](client);
      const event = await firstEvent(client, cursor, type);
      console.log(json ? formatJson(event) : formatTree(event));
    });
}

async function firstEvent(client: ApiClient, cursor: string, type: EventType): Promise<Event> {
  const { events } = await nextEvents(client, cursor, { types: [type], waitSeconds: WAIT_SECONDS });
  const [event] = events;
  if (event !== undefined) return event;
  throw new CommandFailure(`no event ${type} came; the service's log may say why`);
}

/** One unit of a product that is on offer. Returns the order's id. */
async function placeOrder(client: ApiClient, scenario?: string): Promise<string> {
  const { body } = await client.call('createOrder', await orderOf(client, scenario));
  return must(body.data, 'an order').id;
}

/** The answer is 402: the history has the order. */
async function placeUnpaidOrder(client: ApiClient): Promise<string> {
  const order = await orderOf(client, 'pending-payment');
  await client.call('createOrder', order).catch((error: unknown) => {
    if (!(error instanceof CommandFailure) || !error.message.includes('(order-not-paid)')) throw error;
  });
  const query = { status: 'pending_payment', itemsPerPage: '10' };
  const [newest] = (await client.call('listOrders', { query })).body.data ?? [];
  return must(newest, 'the order that waits for its payment').id;
}

async function orderOf(client: ApiClient, scenario: string | undefined) {
  const [product] =
    (await client.call('listProductOffers', { query: { itemsPerPage: '10' } })).body.data ?? [];
  if (product === undefined) throw new CommandFailure('no product is on offer');
  return {
    body: { items: [{ auto: { productId: product.id, quantity: 1, maxPrice: product.minPrice } }] },
    idempotencyKey: randomUUID(),
    scenario,
  };
}

async function refundOrder(client: ApiClient): Promise<void> {
  const params = { orderId: await placeOrder(client) };
  await client.call('refundSandboxOrder', { params, body: REASON });
}

/** Below its threshold, and back to what they were. */
async function lowerBalance(client: ApiClient): Promise<void> {
  const { balance, balanceLowThreshold } = must((await client.call('getOwnAccount')).body.data, 'an account');
  const change = (body: object) => client.call('updateSandboxAccount', { body });
  await change({ balance: '100.00' });
  await change({ balanceLowThreshold: '50.00', balance: '40.00' });
  await change({ balanceLowThreshold, balance });
}

function parseType(text: string): TriggeredType {
  const type = TRIGGERED_TYPES.find((known) => known === text);
  if (type !== undefined) return type;
  throw new InvalidArgumentError(
    text === PASSED_THROUGH
      ? 'Orders of the sandbox do not stay in that status.'
      : `It is one of ${TRIGGERED_TYPES.join(', ')}.`,
  );
}
