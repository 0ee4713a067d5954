/** An operation's request for the current shop, and the model's expected response. */
import type { Random } from '../../packages/server/test/support/random.ts';
import { decimal, type Expected, type Line, type Model, type ModelOrder } from './model.ts';
import type { Node, Reply } from './node.ts';
import type { Action, BookingKind, OrderRequest } from './operation.ts';
import { offerBody } from './world.ts';

const COOLDOWN_MICROS = 2_000_000;
const KEYS_WINDOW_MICROS = 48 * 3_600_000_000;

/** Operations that are one request. */
type SingleAction = Exclude<Action, { name: 'wait' | 'midnight' | 'orders' | 'worker' | 'fold-sums' }>;

const BOOKINGS = {
  deposit: { operation: 'createDeposit', kind: 'deposit', sign: 1, more: {} },
  credit: {
    operation: 'createAdjustment',
    kind: 'adjustment',
    sign: 1,
    more: { direction: 'credit', reason: 'simulated' },
  },
  debit: {
    operation: 'createAdjustment',
    kind: 'adjustment',
    sign: -1,
    more: { direction: 'debit', reason: 'simulated' },
  },
  payout: { operation: 'createPayout', kind: 'payout', sign: -1, more: {} },
} as const satisfies Record<BookingKind, object>;

export type Command = {
  readonly send: (node: Node) => Promise<Reply>;
  readonly keys: readonly string[];
  /** Each is one transaction. The last one determines the response; if undefined, the next one does. */
  readonly stages: readonly (() => Expected | undefined)[];
  /** The key under which the model remembers the response. */
  readonly rememberAs?: string;
};

type Send = (
  node: Node,
  name: Parameters<Node['call']>[0],
  request: Record<string, unknown>,
) => Promise<Reply>;

export class Commands {
  readonly #model: Model;
  readonly #names: Random;
  readonly #send: Send;
  readonly #moveTo: (micros: number) => void;
  #codeCount = 0;

  /** Some operations need a time limit's exact moment. */
  constructor(parts: { model: Model; names: Random; send: Send; moveTo: (micros: number) => void }) {
    this.#model = parts.model;
    this.#names = parts.names;
    this.#send = parts.send;
    this.#moveTo = parts.moveTo;
  }

  of(action: SingleAction): Command | undefined {
    const model = this.#model;
    switch (action.name) {
      case 'order':
        return this.order(
          this.#accountAt(action.request.account),
          this.#names.uuid(),
          this.toLine(action.request),
        );
      case 'repeat':
        return this.#repeatCommand(action);
      case 'restock': {
        const offer = at(model.offers, action.offer);
        const kind = action.isImage ? 'image' : 'text';
        const codes = Array.from({ length: action.count }, () => this.#newCode());
        if (action.old !== null) codes.push(...[...model.codes.keys()].slice(-1), at(codes, action.old));
        return {
          send: (node) =>
            this.#send(node, 'addKeys', {
              params: { offerId: offer.id },
              body: { keys: codes.map((code) => ({ code, kind })) },
            }),
          keys: [],
          stages: [() => model.restock(offer.id, kind, codes)],
        };
      }
      case 'withdraw': {
        const offer = at(model.offers, action.offer);
        const kind = action.isImage ? 'image' : 'text';
        const { quantity } = action;
        return {
          send: (node) =>
            this.#send(node, 'withdrawKeys', {
              params: { offerId: offer.id },
              body: { reason: 'simulated', quantity, kind },
            }),
          keys: [],
          stages: [() => model.withdraw(offer.id, kind, quantity)],
        };
      }
      case 'price':
        return this.#offerCommand(at(model.offers, action.offer).id, { priceMinor: action.priceMinor });
      case 'pause': {
        const offer = at(model.offers, action.offer);
        return this.#offerCommand(offer.id, { isActive: !offer.isActive });
      }
      case 'product': {
        const product = at(model.products, action.product);
        const name = action.isVisible ? this.#names.code('Product ????') : product.name;
        return {
          send: (node) =>
            this.#send(node, 'putProduct', {
              params: { productId: product.id },
              body: { name, checkoutClass: product.checkoutClass },
            }),
          keys: [],
          stages: [() => model.putProduct(product.id, name)],
        };
      }
      case 'booking':
        return this.#bookingCommand(action);
      case 'read':
        return this.#readCommand(action);
      case 'history':
        return this.#historyCommand(action);
      case 'account':
        return this.#accountCommand(action);
      case 'hold':
      case 'release':
      case 'cancel':
        return this.#statusCommand(action);
      case 'refund':
        return this.#refundCommand(action);
      case 'keys':
        return this.#keysCommand(action);
    }
  }

  order(accountId: string, idempotencyKey: string, line: Line): Command {
    const model = this.#model;
    const key = `${accountId} ${idempotencyKey}`;
    const { quantity } = line;
    const maxPrice = decimal(line.maxPriceMinor);
    const item =
      line.kind === 'auto'
        ? { auto: { productId: line.productId, quantity, maxPrice } }
        : { manual: { offerId: line.offerId, quantity, maxPrice } };
    let isCharged = false;
    return {
      send: (node) =>
        this.#send(node, 'createOrder', {
          body: { items: [item] },
          headers: { 'idempotency-key': idempotencyKey },
          principal: toPrincipal(accountId),
        }),
      keys: [key],
      rememberAs: key,
      stages: [
        () => {
          const placed = model.place(accountId, idempotencyKey, line);
          isCharged = placed === 'charge';
          return placed === 'charge' ? undefined : placed;
        },
        () => (isCharged ? model.charge(key) : undefined),
      ],
    };
  }

  #repeatCommand(action: Extract<Action, { name: 'repeat' }>): Command | undefined {
    const model = this.#model;
    if (model.responses.size === 0) return undefined;
    const key = at([...model.responses.keys()], action.request);
    const line = model.toLine(key);
    if (line === undefined) return undefined;
    const freeAt = (model.finishedAt(key) ?? 0) + COOLDOWN_MICROS;
    if (action.when === 'just-before') this.#moveTo(freeAt - 1);
    if (action.when === 'at-the-edge') this.#moveTo(freeAt);
    const [accountId = '', idempotencyKey = ''] = key.split(' ');
    const other = {
      ...line,
      ...(line.quantity === 1 ? { maxPriceMinor: line.maxPriceMinor + 1 } : { quantity: line.quantity - 1 }),
    };
    return this.order(accountId, idempotencyKey, action.isOther ? other : line);
  }

  #offerCommand(offerId: string, change: { priceMinor?: number; isActive?: boolean }): Command {
    const body = offerBody({ ...this.#model.offer(offerId), ...change });
    return {
      send: (node) => this.#send(node, 'putOffer', { params: { offerId }, body }),
      keys: [],
      stages: [() => this.#model.putOffer(offerId, change)],
    };
  }

  #bookingCommand(action: Extract<Action, { name: 'booking' }>): Command {
    const model = this.#model;
    const { kind, amountMinor } = action;
    const old = [...model.bookings.keys()].filter((name) => name.includes(` ${BOOKINGS[kind].kind} `));
    const [accountId = '', , reference = ''] =
      action.old === null || old.length === 0
        ? [at(model.accounts, action.account).id, kind, this.#names.uuid()]
        : at(old, action.old).split(' ');
    const { operation, sign, more } = BOOKINGS[kind];
    const body = { amount: decimal(amountMinor), reference, ...more };
    return {
      send: (node) => this.#send(node, operation, { params: { accountId }, body }),
      keys: [],
      stages: [() => model.book(accountId, BOOKINGS[kind].kind, reference, sign * amountMinor)],
    };
  }

  #readCommand(action: Extract<Action, { name: 'read' }>): Command | undefined {
    const order = this.#orderAt(action.order, undefined);
    if (order?.id === undefined) return undefined;
    const { id: orderId } = order;
    const accountId = this.#reader(order, action.isForeign);
    return {
      send: (node) =>
        this.#send(node, 'getOrder', { params: { orderId }, principal: toPrincipal(accountId) }),
      keys: [],
      stages: [() => this.#model.read(order, accountId)],
    };
  }

  #historyCommand(action: Extract<Action, { name: 'history' }>): Command {
    const { id: accountId } = at(this.#model.accounts, action.account);
    const status = this.#orderAt(action.order, undefined)?.status ?? 'complete';
    return {
      send: (node) =>
        this.#send(node, 'listOrders', { query: { status }, principal: toPrincipal(accountId) }),
      keys: [],
      stages: [() => this.#model.history(accountId, status)],
    };
  }

  #accountCommand({ account: share, change, value }: Extract<Action, { name: 'account' }>): Command {
    const account = at(this.#model.accounts, share);
    const [body, after] = ((): [Record<string, unknown>, Parameters<Model['updateAccount']>[1]] => {
      switch (change) {
        case 'suspend': {
          const status = account.status === 'active' ? 'suspended' : 'active';
          return [{ status }, { status }];
        }
        case 'discount':
          return [{ discountPercent: decimal(value) }, { discountBasisPoints: value }];
        case 'hold':
          return [{ holdOrders: !account.holdOrders }, { holdOrders: !account.holdOrders }];
        case 'limits': {
          const dailyUnitsMax = value % 3 === 0 ? null : value % 200;
          return [{ limits: { dailyUnitsMax } }, { dailyUnitsMax }];
        }
      }
    })();
    return {
      send: (node) => this.#send(node, 'updateAccount', { params: { accountId: account.id }, body }),
      keys: [],
      stages: [() => this.#model.updateAccount(account.id, after)],
    };
  }

  #statusCommand(action: Extract<Action, { name: 'hold' | 'release' | 'cancel' }>): Command | undefined {
    const fitting = { hold: ['pending_payment'], release: ['held'], cancel: ['pending_payment', 'held'] }[
      action.name
    ];
    const order = this.#orderAt(action.order, action.isFitting ? fitting : undefined);
    if (order?.id === undefined) return undefined;
    const orderId = order.id;
    return {
      send: (node) =>
        this.#send(node, `${action.name}Order`, { params: { orderId }, body: { reason: 'simulated' } }),
      keys: [order.key],
      stages: [() => this.#model[action.name](order)],
    };
  }

  #refundCommand(action: Extract<Action, { name: 'refund' }>): Command | undefined {
    const order = this.#orderAt(action.order, action.isFitting ? ['complete', 'held'] : undefined);
    if (order?.id === undefined) return undefined;
    const { id: orderId } = order;
    const { units } = action;
    const choice = { stay: {}, return: { returnToStock: true }, withdraw: { withdrawKeys: true } }[units];
    const left = order.invoiced - order.refunded;
    const quantity =
      action.quantity === null || !action.isFitting
        ? action.quantity
        : Math.max(1, Math.min(action.quantity, left));
    const items = quantity === null ? {} : { items: [{ id: `${orderId}01`, quantity }] };
    return {
      send: (node) =>
        this.#send(node, 'refundOrder', {
          params: { orderId },
          body: { reason: 'simulated', ...items, ...choice },
        }),
      keys: [order.key],
      stages: [() => this.#model.refund(order, quantity, units)],
    };
  }

  #keysCommand(action: Extract<Action, { name: 'keys' }>): Command | undefined {
    const order = this.#orderAt(action.order, action.isFitting ? ['complete'] : undefined);
    if (order?.id === undefined) return undefined;
    const orderId = order.id;
    const endsAt = (order.completedAt ?? 0) + KEYS_WINDOW_MICROS;
    if (action.edge === 'last') this.#moveTo(endsAt);
    if (action.edge === 'over') this.#moveTo(endsAt + 1);
    const accountId = this.#reader(order, action.isForeign);
    const principal = toPrincipal(accountId);
    return {
      send: (node) => this.#send(node, 'getOrderKeys', { params: { orderId }, principal }),
      keys: [order.key],
      stages: [() => this.#model.keys(order, accountId)],
    };
  }

  #reader(order: ModelOrder, isForeign: boolean): string {
    const otherReseller = this.#model.accounts.find(({ id }) => id !== order.accountId);
    return isForeign && otherReseller !== undefined ? otherReseller.id : order.accountId;
  }

  #accountAt(share: number): string {
    return at(this.#model.accounts, share).id;
  }

  #orderAt(share: number, statuses: readonly string[] | undefined): ModelOrder | undefined {
    const orders = [...this.#model.orders.values()];
    const fitting = orders.filter(({ status }) => statuses === undefined || statuses.includes(status));
    return fitting.length === 0 ? undefined : at(fitting, share);
  }

  toLine({ isAuto, target, quantity, overPriceMinor }: OrderRequest): Line {
    const { offers, products } = this.#model;
    // A place slightly past the end of the list is an unknown product or offer.
    const product = products[Math.floor(target * (products.length + 0.1))];
    const offer = offers[Math.floor(target * (offers.length + 0.1))];
    const prices = isAuto
      ? offers.filter(({ productId }) => productId === product?.id)
      : offer === undefined
        ? []
        : [offer];
    const cheapest = Math.min(10_000, ...prices.map(({ priceMinor }) => priceMinor));
    const maxPriceMinor = Math.max(1, cheapest + overPriceMinor);
    if (isAuto) return { kind: 'auto', productId: product?.id ?? '99999999999999', quantity, maxPriceMinor };
    return {
      kind: 'manual',
      offerId: offer?.id ?? '00000000-0000-4000-8000-000000000000',
      quantity,
      maxPriceMinor,
    };
  }

  #newCode(): string {
    this.#codeCount += 1;
    return `CODE-${this.#codeCount}`;
  }
}

function toPrincipal(accountId: string) {
  return { role: 'reseller', clientId: `client of ${accountId}`, accountId };
}

export function at<Item>(things: readonly Item[], share: number): Item {
  const thing = things[Math.min(things.length - 1, Math.floor(share * things.length))];
  if (thing === undefined) throw new Error('there is nothing to choose from');
  return thing;
}
