import { BaseClient } from './client.ts';
import type { KeyportEvent } from './events.ts';
import { Feed } from './feeds.ts';
import type {
  Account,
  CreateOrderItem,
  DayOfSpend,
  EventType,
  GetOwnStatementQuery,
  GetProductQuery,
  ListOrdersQuery,
  ListProductChangesQuery,
  ListProductOffersQuery,
  Order,
  OrderKeys,
  OrderTimeline,
  Product,
  ProductDetail,
  ProductWithOffers,
  RemovedProduct,
  StatementLine,
  StatementMeta,
} from './generated/reseller-contract.ts';
import { Sandbox } from './generated/sandbox-methods.ts';
import { type CallOptions, type KeyportOptions, splitOptions } from './options.ts';
import { type Answered, Call } from './requests/call.ts';
import { CursorList, PagedList } from './requests/lists.ts';
import { segment } from './requests/segment.ts';
import { Resource } from './requests/transport.ts';
import { Claims } from './resources/claims.ts';
import { Clients } from './resources/clients.ts';
import { RequestLog } from './resources/request-log.ts';
import { Reservations } from './resources/reservations.ts';
import { WebhookEndpoints } from './resources/webhook-endpoints.ts';

const DETAILS_MAX = 20;

/** The item to buy. */
export type OrderRequest = CreateOrderItem & {
  /** Your order number: 1 to 64 printable characters. Responses show it, and `orders.list` finds it. */
  readonly reference?: string | undefined;
};

/** A product in its current state, or one no longer on offer. */
export type ProductChange = Product | RemovedProduct;

/** The units to return, by order item. */
export interface ReturnInput {
  readonly items: readonly { readonly id: string; readonly quantity: number }[];
  readonly reason?: string | undefined;
}

/** Where a list of events starts, and its filter. */
export interface EventsQuery {
  /** The cursor after the last handled event, or `now` for new events. Default: the oldest kept event. */
  readonly cursor?: string | undefined;
  /** Events per request, at most 1000. */
  readonly limit?: number | undefined;
  /** Seconds to wait for the next event, at most 30. If set, the list does not end. */
  readonly wait?: number | undefined;
  /** Only these types. */
  readonly types?: readonly (EventType | (string & {}))[] | undefined;
}

/**
 * A client for resellers.
 *
 * @example
 * ```ts
 * import { Keyport } from '@keyport/sdk';
 *
 * const keyport = new Keyport({ baseUrl, clientId, clientSecret });
 * for await (const product of keyport.products.list({ maxPrice: '15.00' })) console.log(product.name);
 * ```
 */
export class Keyport extends BaseClient {
  /** The catalogue. */
  readonly products: Products;
  /** Orders and their keys. */
  readonly orders: Orders;
  /** Units and prices held while your customer pays. */
  readonly reservations: Reservations;
  /** Claims about faulty keys. */
  readonly claims: Claims;
  /** Your own account. */
  readonly account: OwnAccount;
  /** Your own credentials. */
  readonly clients: Clients;
  /** The log of your requests. */
  readonly requests: RequestLog;
  /** Events, in order. */
  readonly events: Events;
  /** Endpoints that receive events. */
  readonly webhookEndpoints: WebhookEndpoints;
  /** Rehearsals, and your client's check-up. Sandbox only. */
  readonly sandbox: Sandbox;

  constructor(options: KeyportOptions) {
    super(options);
    const { transport } = this;
    this.products = new Products(transport);
    this.orders = new Orders(transport);
    this.reservations = new Reservations(transport);
    this.claims = new Claims(transport);
    this.account = new OwnAccount(transport);
    this.clients = new Clients(transport);
    this.requests = new RequestLog(transport);
    this.events = new Events(transport);
    this.webhookEndpoints = new WebhookEndpoints(transport);
    this.sandbox = new Sandbox(transport);
  }
}

/** `keyport.products` */
export class Products extends Resource {
  /**
   * Products with their cheapest offers, in the order in which they were added.
   *
   * @example
   * ```ts
   * for await (const product of keyport.products.list()) console.log(product.id, product.minPrice);
   * const { data, meta } = await keyport.products.list({ itemsPerPage: 50 }).page(2);
   * ```
   */
  list(filters: ListProductOffersQuery & CallOptions = {}, options: CallOptions = {}): PagedList<Product> {
    return new PagedList<Product>(this.transport, '/export/v1/product-offers', filters, options);
  }

  /** One product with its three cheapest offers, filtered by `maxPrice` and `totalQuantity`. */
  get(
    id: string,
    filters: GetProductQuery & CallOptions = {},
    options: CallOptions = {},
  ): Call<ProductWithOffers> {
    const path = `/export/v1/products/${segment('productId', id)}`;
    const { query, options: all } = splitOptions(filters, options);
    return this.transport.read(path, all, query);
  }

  /**
   * Texts, pictures and requirements of any number of products, 20 per request, in the order of the ids.
   * Skips duplicates and products that are not on offer.
   */
  details(ids: readonly string[], options: CallOptions = {}): Call<ProductDetail[]> {
    return new Call(this.#details([...new Set(ids)], options));
  }

  async #details(
    ids: readonly string[],
    { scenario, ...options }: CallOptions,
  ): Promise<Answered<ProductDetail[]>> {
    const details: ProductDetail[] = [];
    const endsAtMs = this.transport.computeDeadline(options);
    let response = new Response('{"data":[]}');
    for (let at = 0; at < ids.length; at += DETAILS_MAX) {
      const query = { productIds: ids.slice(at, at + DETAILS_MAX) };
      const request = { method: 'GET', path: '/export/v1/products', query, endsAtMs };
      const forced = at === 0 ? { ...options, scenario } : options;
      const answered = await this.transport.call<ProductDetail[]>(request, forced).withResponse();
      details.push(...answered.data);
      response = answered.response;
    }
    return { data: details, response };
  }

  /**
   * Every changed product in its current state, and every product no longer on offer. Without a cursor, the
   * feed starts with all current products. With `wait` it never ends. `CatalogueMirror` of
   * `@keyport/sdk/node` keeps a copy.
   *
   * @example
   * ```ts
   * for await (const change of keyport.products.changes({ cursor, wait: 25 })) {
   *   if ('removed' in change) shop.delete(change.id);
   *   else shop.set(change.id, change);
   *   cursor = change.cursor; // store it together with the shop
   * }
   * ```
   */
  changes(from: ListProductChangesQuery & CallOptions = {}, options: CallOptions = {}): Feed<ProductChange> {
    const spec = {
      path: '/export/v1/product-offers/changes',
      mark: (change: ProductChange) => change.updatedAt,
      isOrdered: true,
    };
    return new Feed(this.transport, spec, from, options);
  }
}

/** `keyport.orders` */
export class Orders extends Resource {
  /**
   * Places and pays for an order. The order is placed only once, because all retries use the same
   * idempotency key. If the call fails without a response, call it again with the error's `idempotencyKey`
   * to find out what happened. `createOrderOnce` of `@keyport/sdk/node` also survives a crash of your program.
   *
   * @example
   * ```ts
   * const line = { productId, quantity: 1, maxPrice: '15.00' };
   * const order = await keyport.orders.create({ auto: line, reference: 'A-1001' });
   * if (order.status === 'complete') console.log(await keyport.orders.keys(order.id));
   * ```
   */
  create({ reference, ...item }: OrderRequest, options?: CallOptions): Call<Order> {
    return this.transport.write('POST', '/export/v1/orders', { items: [item], reference }, options);
  }

  /**
   * Newest first unless `sort` is `ASC`.
   *
   * @example
   * ```ts
   * for await (const order of keyport.orders.list({ reference: 'A-1001' })) console.log(order.id, order.status);
   * ```
   */
  list(filters: ListOrdersQuery & CallOptions = {}, options: CallOptions = {}): PagedList<Order> {
    return new PagedList<Order>(this.transport, '/export/v1/orders', filters, options);
  }

  /** One order in its current state. */
  get(id: string, options?: CallOptions): Call<Order> {
    return this.transport.read(toPath(id), options);
  }

  /** A complete order's keys, by item. Store them: they can be read for 48 hours only. */
  keys(id: string, options?: CallOptions): Call<OrderKeys[]> {
    return this.transport.read(`${toPath(id)}/keys`, options);
  }

  /** What happened to an order, and until when its keys can be read, returned and claimed. */
  timeline(id: string, options?: CallOptions): Call<OrderTimeline> {
    return this.transport.read(`${toPath(id)}/timeline`, options);
  }

  /**
   * Returns units whose keys were never read, and refunds their price. Other returns are rejected with
   * `return-not-possible`.
   *
   * @example
   * ```ts
   * const order = await keyport.orders.return(id, { items: [{ id: itemId, quantity: 1 }] });
   * ```
   */
  return(id: string, input: ReturnInput, options?: CallOptions): Call<Order> {
    return this.transport.write('POST', `${toPath(id)}/returns`, input, options);
  }
}

/** `keyport.account` */
export class OwnAccount extends Resource {
  /** Balance, payment method, discount and limits. */
  get(options?: CallOptions): Call<Account> {
    return this.transport.read('/export/v1/account', options);
  }

  /** Your spend by UTC day: those of the last 30 days on which something was paid or refunded. */
  spend(options?: CallOptions): Call<DayOfSpend[]> {
    return this.transport.read('/export/v1/account/spend', options);
  }

  /**
   * Movements of the balance from `from` (inclusive) to `to` (exclusive), oldest first. They add up to
   * `closing` less `opening`, both in each page's `meta`.
   *
   * @example
   * ```ts
   * const november = { from: '2026-11-01T00:00:00Z', to: '2026-12-01T00:00:00Z' };
   * for await (const line of keyport.account.statement(november)) console.log(line.createdAt, line.amount, line.reference);
   * const { meta } = await keyport.account.statement(november).page();
   * console.log(meta.opening, meta.closing);
   * ```
   */
  statement(
    range: GetOwnStatementQuery & CallOptions = {},
    options: CallOptions = {},
  ): CursorList<StatementLine, StatementMeta> {
    return new CursorList(this.transport, '/export/v1/account/statement', range, options);
  }
}

/** `keyport.events` */
export class Events extends Resource {
  /**
   * Events in order. With `wait` the list never ends. Events are kept for 30 days: an older cursor is
   * rejected with `cursor-expired`.
   *
   * @example
   * ```ts
   * for await (const event of keyport.events.list({ cursor, wait: 25 })) {
   *   if (event.type === 'order.refunded') console.log(event.data.refund.amount);
   *   cursor = event.cursor; // store it
   * }
   * ```
   */
  list(from: EventsQuery & CallOptions = {}, options: CallOptions = {}): Feed<KeyportEvent> {
    const spec = { path: '/export/v1/events', mark: ({ id }: KeyportEvent) => id, isOrdered: false };
    return new Feed(this.transport, spec, from, options);
  }

  /** One event. */
  get(id: string, options?: CallOptions): Call<KeyportEvent> {
    return this.transport.read(`/export/v1/events/${segment('eventId', id)}`, options);
  }
}

function toPath(orderId: string): string {
  return `/export/v1/orders/${segment('orderId', orderId)}`;
}
