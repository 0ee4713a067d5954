/**
 * A second implementation of the service from its rules, which shares no code with it. The core's own test
 * model decides checkouts; this one has the later lives of orders, the books, the stock and the responses. R9
 * to R15, R20, A33 to A48, A66, A77.
 */
import { type Shop, serve } from '@keyport/core/test/model';

const SECOND = 1_000_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const COOLDOWN = 2 * SECOND;
const RESERVATION = 30 * MINUTE;
const KEYS_WINDOW = 48 * HOUR;
const LATE_PAYMENT = 24 * HOUR;
const REJECTION_RETENTION = 30 * 24 * HOUR;
/** Time until the first query about a payment, and between queries. */
const FIRST_ASKED = 10 * SECOND;
const ASKED_AGAIN = 15 * SECOND;
/** For older orders the pause is the order's age divided by this (A100). */
const AGE_PER_CHECK = 10;

export const RISK_RULES = { aboveMinor: 2000, accountYoungerThanMicros: MINUTE, ordersPerHour: 12 };

export type Line = Parameters<typeof serve>[1]['line'];

export type Expected = {
  readonly status: number;
  readonly code?: string;
  readonly reason?: string;
  readonly isReplay?: boolean;
  // biome-ignore lint/suspicious/noExplicitAny: bodies of every operation
  readonly problem?: (body: any) => string | undefined;
};

export type ModelAccount = Shop['accounts'][number] & {
  customer: string | null;
  spendDay: string;
  hour: number;
};

export type ModelOrder = {
  /** Account and Idempotency-Key. */
  readonly key: string;
  /** Known after the database was observed. */
  id: string | undefined;
  readonly accountId: string;
  readonly offerId: string;
  readonly line: Line;
  status: string;
  heldFrom: string | null;
  /** Statuses since placement, including the first one. */
  readonly path: string[];
  readonly unitPrice: number;
  readonly discount: number;
  readonly total: number;
  readonly method: string;
  readonly createdAt: number;
  completedAt: number | null;
  invoiced: number;
  shipped: number;
  refunded: number;
  isImageRefunded: boolean;
  /** Null if it took no unit. */
  readonly firstUnit: number | null;
  reserved: number;
  sold: number;
  /** Sold units that were refunded and stay with the order. */
  paidBack: number;
  charged: number;
  given: number;
  payment: { state: string; expiresAt: number; askAt: number } | null;
  readonly reports: { amount: number; isDone: boolean }[];
  isRead: boolean;
  /** A92. */
  readonly isRisky: boolean;
  shown: readonly string[] | undefined;
};

type ModelResponse = { status: number; code?: string; order?: ModelOrder; seen?: string; facts?: string };
type Sale = {
  readonly said: string;
  readonly offerId: string;
  readonly discountMinor: number;
  readonly totalPriceMinor: number;
  readonly hasUnits: boolean;
};
type Code = { readonly offerId: string; readonly kind: 'text' | 'image'; owner?: string };
export type Verdict = 'paid' | 'declined' | 'unknown' | 'no-answer';

export class Model {
  nowMicros = 0;
  readonly accounts: ModelAccount[] = [];
  readonly offers: Shop['offers'] = [];
  readonly products: {
    id: string;
    name: string;
    checkoutClass: Shop['products'][number]['checkoutClass'];
  }[] = [];
  readonly orders = new Map<string, ModelOrder>();
  readonly responses = new Map<string, ModelResponse>();
  readonly codes = new Map<string, Code>();
  readonly bookings = new Map<string, number>();
  readonly withdrawn = new Map<string, number>();
  readonly counts = { transfers: 0, audits: 0, reveals: 0 };
  readonly mustStamp = new Set<string>();
  readonly mayStamp = new Set<string>();
  readonly #records: Shop['records'] = new Map();

  account(id: string): ModelAccount {
    return found(this.accounts, id);
  }

  offer(id: string): Shop['offers'][number] {
    return found(this.offers, id);
  }

  finishedAt(key: string): number | undefined {
    const record = this.#records.get(key);
    return record === undefined || record === 'locked-elsewhere'
      ? undefined
      : (record.finishedAtMicros ?? undefined);
  }

  toLine(key: string): Line | undefined {
    const record = this.#records.get(key);
    return record === undefined || record === 'locked-elsewhere' ? undefined : record.line;
  }

  get recordCount(): number {
    return this.#records.size;
  }

  /** Cents and units that count for the account's limits of this UTC day. */
  usedToday(account: ModelAccount): readonly [number, number] {
    return account.spendDay === toDay(this.nowMicros)
      ? [Number(account.daySpendMinor), account.dayUnits]
      : [0, 0];
  }

  hasRecord(key: string): boolean {
    return this.#records.has(key);
  }

  /** Decides up to the payment provider. An order that waits for it then goes to `charge`. */
  place(accountId: string, idempotencyKey: string, line: Line): Expected | 'charge' {
    const key = `${accountId} ${idempotencyKey}`;
    const account = this.account(accountId);
    this.#startDay(account);
    const shop: Shop = {
      nowMicros: this.nowMicros,
      cooldownMs: COOLDOWN / 1000,
      riskRules: RISK_RULES,
      records: this.#records,
      accounts: this.accounts,
      products: this.products,
      offers: this.offers,
    };
    const isNew = !this.#records.has(key);
    const textBefore = new Map(this.offers.map(({ id, availableText }) => [id, availableText]));
    const { said, sale } = serve(shop, { accountId, idempotencyKey, line });
    if (!isNew) return this.#repeat(key, said);
    if (sale === undefined) {
      const code = CART_REASONS.has(said) ? 'cart-validation-error' : said;
      this.#finish(key, {
        status: code === 'insufficient-funds' || code === 'payment-not-configured' ? 402 : 400,
        code,
      });
      return { ...this.#toResponse(key), ...(code === said ? {} : { reason: said }) };
    }
    // An order that only images could fill takes no units (A44).
    const hasUnits = this.offer(sale.offerId).availableText !== textBefore.get(sale.offerId);
    const order = this.#open(key, account, line, { ...sale, said, hasUnits });
    if (said === 'pending_payment') return 'charge';
    this.#finish(key, { status: 201, order });
    return this.#toResponse(key);
  }

  charge(key: string): Expected {
    const order = this.#order(key);
    const { customer } = this.account(order.accountId);
    if (customer === 'sim_ok') this.#settle(order, 'paid');
    else if (customer === 'sim_declined') this.#settle(order, 'declined');
    else this.#finish(key, { status: 402, code: 'order-not-paid' });
    return this.#toResponse(key);
  }

  /** Lists the orders in the worker's order. */
  duePayments(): ModelOrder[] {
    return [...this.orders.values()]
      .filter(({ payment }) => payment?.state === 'open' && payment.askAt <= this.nowMicros)
      .sort((left, right) => (left.payment?.askAt ?? 0) - (right.payment?.askAt ?? 0));
  }

  claim(order: ModelOrder): void {
    const { payment } = order;
    if (payment === null) return;
    const share = Math.floor((this.nowMicros - order.createdAt) / AGE_PER_CHECK / SECOND) * SECOND;
    const askAt = this.nowMicros + Math.max(ASKED_AGAIN, share);
    const isExpired = payment.expiresAt <= this.nowMicros;
    if (!WAITING.has(order.status)) payment.askAt = askAt;
    else payment.askAt = isExpired ? this.nowMicros + ASKED_AGAIN : Math.min(askAt, payment.expiresAt);
  }

  ask(order: ModelOrder, verdict: Verdict): void {
    const { payment } = order;
    if (payment === null) return;
    const isExpired = WAITING.has(order.status) && payment.expiresAt <= this.nowMicros;
    if (verdict === 'paid' || verdict === 'declined') this.#settle(order, verdict);
    else if (isExpired) this.#settle(order, 'expired');
    else if (verdict === 'no-answer') return;
    else if (order.status === 'pending_payment' && this.finishedAt(order.key) === undefined)
      this.charge(order.key);
    else if (ENDED.has(order.status) && payment.expiresAt + LATE_PAYMENT <= this.nowMicros)
      payment.state = 'abandoned';
  }

  oldRejections(): string[] {
    return [...this.#records].flatMap(([key, record]) => {
      if (this.orders.has(key) || record === 'locked-elsewhere' || record.finishedAtMicros === null)
        return [];
      return record.finishedAtMicros >= this.nowMicros - REJECTION_RETENTION ? [] : [key];
    });
  }

  forget(keys: readonly string[]): void {
    for (const key of keys) {
      this.#records.delete(key);
      this.responses.delete(key);
    }
  }

  hold(order: ModelOrder): Expected {
    if (order.status !== 'pending_payment') return CONFLICT;
    this.#move(order, 'held', order.status);
    return this.#changed(order);
  }

  release(order: ModelOrder): Expected {
    if (order.status !== 'held') return CONFLICT;
    if (order.heldFrom === 'processing') this.#deliver(order, ['processing', 'complete']);
    else {
      this.#move(order, 'pending_payment');
      if (order.payment?.state === 'open') {
        order.payment.expiresAt = this.nowMicros + RESERVATION;
        order.payment.askAt = Math.min(order.payment.askAt, this.nowMicros);
      }
    }
    return this.#changed(order);
  }

  cancel(order: ModelOrder): Expected {
    if (order.invoiced > 0 || !UNPAID.has(order.status)) return CONFLICT;
    this.#cancel(order);
    // The operator's decision determines the response of a waiting request (A41).
    this.#finish(order.key, { status: 402, code: 'payment-went-wrong' });
    return this.#changed(order);
  }

  refund(order: ModelOrder, asked: number | null, units: 'stay' | 'return' | 'withdraw'): Expected {
    const left = order.invoiced - order.refunded;
    const quantity = asked ?? left;
    const isDelivered = order.status === 'complete';
    if (order.invoiced === 0 || order.status === 'closed' || quantity > left) return CONFLICT;
    if (!isDelivered && quantity < left) return CONFLICT;
    if (isDelivered && units === 'return' && order.isRead) return CONFLICT;
    const isLast = quantity === left;
    const price = order.unitPrice * quantity;
    const share = Math.floor(
      (2 * price * order.total + order.unitPrice * order.line.quantity) /
        (2 * order.unitPrice * order.line.quantity),
    );
    const amount = isLast ? order.total - order.given : Math.min(share, order.total - order.given);
    order.refunded += quantity;
    this.#giveBack(order, amount);
    this.#move(order, isLast ? 'closed' : 'complete');
    if (isDelivered && units === 'stay') order.paidBack += quantity;
    else {
      const leaving = isDelivered ? quantity : order.reserved;
      if (isDelivered) {
        order.sold -= quantity;
        order.shipped -= quantity;
      } else order.reserved = 0;
      if (units === 'return') this.#restore(order, leaving);
      else this.#withdraw(order.offerId, 'text', leaving);
    }
    return this.#changed(order);
  }

  /** `accountId` is the requesting account. */
  keys(order: ModelOrder, accountId: string): Expected {
    if (order.accountId !== accountId) return { status: 400, code: 'order-not-found' };
    if (order.isImageRefunded) return { status: 410, code: 'order-auto-refund-image-keys' };
    if (order.status !== 'complete' || order.completedAt === null)
      return { status: 400, code: 'order-not-complete' };
    if (this.nowMicros - order.completedAt > KEYS_WINDOW) return { status: 400, code: 'order-expired' };
    this.counts.audits += 1;
    if (!order.isRead) this.counts.reveals += order.sold;
    order.isRead ||= order.sold > 0;
    return { status: 200, problem: (body) => this.#checkCodes(order, body) };
  }

  /** `change` is added to the balance and can be negative. */
  book(accountId: string, kind: string, reference: string, change: number): Expected {
    const name = `${accountId} ${kind} ${reference}`;
    const booked = this.bookings.get(name);
    if (booked !== undefined) return booked === change ? { status: 200 } : CONFLICT;
    const account = this.account(accountId);
    if (account.balanceMinor + change < 0) return CONFLICT;
    this.bookings.set(name, change);
    account.balanceMinor += change;
    this.counts.transfers += 1;
    this.counts.audits += 1;
    const balance = decimal(account.balanceMinor);
    return {
      status: 201,
      problem: ({ data }) => (data.balance === balance ? undefined : `the balance is not ${balance}`),
    };
  }

  read(order: ModelOrder, accountId: string): Expected {
    if (order.accountId !== accountId) return { status: 400, code: 'order-not-found' };
    const facts = toFacts(order);
    return { status: 200, problem: ({ data }) => differs(facts, data) };
  }

  history(accountId: string, status: string): Expected {
    const wanted = [...this.orders.values()].filter(
      (one) => one.accountId === accountId && one.status === status,
    );
    const ids = wanted.map(({ id }) => id).sort();
    return {
      status: 200,
      problem: ({ data }) => {
        const shown = data.map(({ id }: { id: string }) => id).sort();
        return shown.join() === ids.slice(0, 100).join() || ids.length > 100
          ? undefined
          : `not the orders ${ids}`;
      },
    };
  }

  restock(offerId: string, kind: 'text' | 'image', codes: readonly string[]): Expected {
    const offer = this.offer(offerId);
    let added = 0;
    for (const code of codes) {
      if (this.codes.has(code)) continue;
      this.codes.set(code, { offerId, kind });
      added += 1;
    }
    if (kind === 'text') offer.availableText += added;
    else offer.availableImage += added;
    if (added > 0) this.#stamp(offer);
    this.counts.audits += 1;
    return {
      status: 201,
      problem: ({ data }) =>
        data.added === added && data.duplicates === codes.length - added
          ? undefined
          : `not ${added} were added`,
    };
  }

  withdraw(offerId: string, kind: 'text' | 'image', quantity: number): Expected {
    const offer = this.offer(offerId);
    if (quantity > (kind === 'text' ? offer.availableText : offer.availableImage)) return CONFLICT;
    if (kind === 'text') offer.availableText -= quantity;
    else offer.availableImage -= quantity;
    this.#withdraw(offerId, kind, quantity);
    this.#stamp(offer);
    this.counts.audits += 1;
    const left = offer.availableText + offer.availableImage;
    return {
      status: 200,
      problem: ({ data }) =>
        data.withdrawn === quantity && data.quantity === left ? undefined : `not ${left} units are left`,
    };
  }

  putOffer(offerId: string, change: { priceMinor?: number; isActive?: boolean }): Expected {
    const offer = this.offer(offerId);
    const next = { ...offer, ...change };
    const isChanged = next.priceMinor !== offer.priceMinor || next.isActive !== offer.isActive;
    if (isChanged && (offer.isActive || next.isActive) && offer.availableText + offer.availableImage > 0)
      this.#stamp(offer);
    this.mayStamp.add(offer.productId);
    Object.assign(offer, next);
    this.counts.audits += 1;
    return { status: 200 };
  }

  /** Resellers see the name but not the checkout class (A8). */
  putProduct(productId: string, name: string): Expected {
    const product = found(this.products, productId);
    if (product.name !== name) {
      this.mustStamp.add(productId);
      product.name = name;
    }
    this.mayStamp.add(productId);
    this.counts.audits += 1;
    return { status: 200 };
  }

  updateAccount(accountId: string, change: Partial<ModelAccount>): Expected {
    Object.assign(this.account(accountId), change);
    this.counts.audits += 1;
    return { status: 200 };
  }

  /** Every later response must be identical byte for byte. */
  remember(key: string, body: string): string | undefined {
    const response = this.responses.get(key);
    if (response === undefined) return 'the request is unknown';
    if (response.seen !== undefined && response.seen !== body)
      return `the response was ${response.seen} before`;
    response.seen = body;
    return undefined;
  }

  #repeat(key: string, said: string): Expected {
    if (said === 'processing') return { status: 409, code: 'idempotency-key-processing' };
    if (said === 'key-reused') return { status: 422, code: 'idempotency-key-already-used' };
    const response = this.#toResponse(key);
    return { ...response, status: response.status === 201 ? 200 : response.status, isReplay: true };
  }

  #open(key: string, account: ModelAccount, line: Line, sale: Sale): ModelOrder {
    const { said, hasUnits } = sale;
    const offer = this.offer(sale.offerId);
    const isWaiting = said === 'pending_payment';
    const isDelivered = said === 'complete';
    const units = hasUnits ? line.quantity : 0;
    const paid = isWaiting ? 0 : line.quantity;
    const order: ModelOrder = {
      key,
      id: undefined,
      accountId: account.id,
      offerId: offer.id,
      line,
      status: said,
      heldFrom: said === 'held' ? 'processing' : null,
      path: [said],
      unitPrice: offer.priceMinor,
      discount: sale.discountMinor,
      total: sale.totalPriceMinor,
      method: account.paymentMethod ?? '',
      createdAt: this.nowMicros,
      completedAt: isDelivered ? this.nowMicros : null,
      invoiced: paid,
      shipped: isDelivered ? line.quantity : 0,
      refunded: said === 'closed' ? line.quantity : 0,
      isImageRefunded: said === 'closed',
      firstUnit: hasUnits ? offer.nextUnit - units : null,
      reserved: isDelivered ? 0 : units,
      sold: isDelivered ? units : 0,
      paidBack: 0,
      charged: 0,
      given: 0,
      payment: isWaiting
        ? { state: 'open', expiresAt: this.nowMicros + RESERVATION, askAt: this.nowMicros + FIRST_ASKED }
        : null,
      reports: [],
      isRead: false,
      shown: undefined,
      isRisky:
        account.holdOrders ||
        sale.totalPriceMinor > RISK_RULES.aboveMinor ||
        this.nowMicros < account.createdAtMicros + RISK_RULES.accountYoungerThanMicros ||
        account.hourOrders > RISK_RULES.ordersPerHour,
    };
    if (hasUnits) this.#stamp(offer);
    if (!isWaiting) this.#book(order, 'charged', order.total);
    if (said === 'closed') this.#book(order, 'given', order.total);
    this.orders.set(key, order);
    return order;
  }

  #startDay(account: ModelAccount): void {
    const [today, hour] = [toDay(this.nowMicros), Math.floor(this.nowMicros / HOUR)];
    if (account.hour !== hour) Object.assign(account, { hour, hourOrders: 0 });
    if (account.spendDay === today) return;
    Object.assign(account, { spendDay: today, daySpendMinor: 0n, dayUnits: 0 });
  }

  #settle(order: ModelOrder, verdict: 'paid' | 'declined' | 'expired'): void {
    if (verdict === 'paid') this.#pay(order);
    else if (order.status === 'pending_payment') this.#cancel(order);
    const isHeldUnpaid = order.status === 'held' && order.invoiced === 0;
    const isLastWord = verdict === 'paid' || (verdict === 'declined' && !isHeldUnpaid);
    if (isLastWord && order.payment?.state === 'open') order.payment.state = verdict;
    if (this.finishedAt(order.key) !== undefined) return;
    if (isHeldUnpaid) this.#finish(order.key, { status: 402, code: 'order-not-paid' });
    else if (order.status === 'canceled')
      this.#finish(order.key, { status: 402, code: 'payment-went-wrong' });
    else this.#finish(order.key, { status: 201, order });
  }

  #pay(order: ModelOrder): void {
    if (order.invoiced > 0 || order.given > 0) return;
    this.#book(order, 'charged', order.total);
    if (order.status === 'canceled') {
      this.#giveBack(order, order.total);
      return;
    }
    const from = order.heldFrom === null ? ['processing'] : [order.heldFrom, 'processing'];
    const isHeld = order.status === 'held';
    order.invoiced = order.line.quantity;
    if (order.reserved === 0) {
      order.refunded = order.invoiced;
      order.isImageRefunded = true;
      this.#giveBack(order, order.total);
      this.#releaseDailyUse(order);
      order.path.push(...from);
      this.#move(order, 'closed');
    } else if (isHeld || order.isRisky || this.account(order.accountId).holdOrders) {
      order.path.push(...from);
      this.#move(order, 'held', 'processing');
    } else this.#deliver(order, [...from, 'complete']);
  }

  #deliver(order: ModelOrder, path: readonly string[]): void {
    order.path.push(...path.slice(0, -1));
    this.#move(order, 'complete');
    order.completedAt ??= this.nowMicros;
    order.shipped = order.line.quantity;
    order.sold = order.reserved;
    order.reserved = 0;
  }

  #cancel(order: ModelOrder): void {
    this.#move(order, 'canceled');
    this.#releaseDailyUse(order);
    if (order.reserved > 0) this.#restore(order, order.reserved);
    order.reserved = 0;
  }

  #move(order: ModelOrder, status: string, heldFrom: string | null = null): void {
    order.path.push(status);
    Object.assign(order, { status, heldFrom });
  }

  #withdraw(offerId: string, kind: 'text' | 'image', quantity: number): void {
    const name = `${offerId} ${kind}`;
    this.withdrawn.set(name, (this.withdrawn.get(name) ?? 0) + quantity);
  }

  #restore(order: ModelOrder, quantity: number): void {
    const offer = this.offer(order.offerId);
    offer.availableText += quantity;
    if (quantity > 0) this.#stamp(offer);
  }

  #giveBack(order: ModelOrder, amount: number): void {
    this.#book(order, 'given', amount);
    if (order.method === 'gateway' && amount > 0) order.reports.push({ amount, isDone: false });
  }

  /** One transfer; the checkout model has taken a balance charge from the balance already. */
  #book(order: ModelOrder, side: 'charged' | 'given', amount: number): void {
    if (amount === 0) return;
    order[side] += amount;
    this.counts.transfers += 1;
    const account = this.account(order.accountId);
    // Refunded for its images at checkout: the checkout model never took the money.
    const isUntouched = order.isImageRefunded && order.method === 'balance';
    if (side === 'given' && order.method === 'balance' && !isUntouched) account.balanceMinor += amount;
  }

  #releaseDailyUse(order: ModelOrder): void {
    const account = this.account(order.accountId);
    if (account.spendDay !== toDay(order.createdAt)) return;
    const spent = account.daySpendMinor - BigInt(order.total);
    account.daySpendMinor = spent > 0n ? spent : 0n;
    account.dayUnits = Math.max(0, account.dayUnits - order.line.quantity);
  }

  #stamp(offer: Shop['offers'][number]): void {
    // No reseller sees the stock of a paused offer.
    if (offer.isActive) this.mustStamp.add(offer.productId);
    this.mayStamp.add(offer.productId);
  }

  #finish(key: string, response: ModelResponse): void {
    const record = this.#records.get(key);
    if (record === undefined || record === 'locked-elsewhere') throw new Error('the request has a record');
    if (record.finishedAtMicros !== null) return;
    this.#records.set(key, { ...record, finishedAtMicros: this.nowMicros, response: 'answered' });
    const facts = response.order === undefined ? {} : { facts: toFacts(response.order) };
    this.responses.set(key, { ...response, ...facts });
  }

  #toResponse(key: string): Expected {
    const response = this.responses.get(key);
    if (response === undefined) throw new Error('the request has its response');
    const { status, code, facts } = response;
    if (facts === undefined) return { status, ...(code === undefined ? {} : { code }) };
    return { status, problem: ({ data }) => differs(facts, data) };
  }

  #changed(order: ModelOrder): Expected {
    this.counts.audits += 1;
    const facts = toFacts(order);
    return { status: 200, problem: ({ data }) => differs(facts, data) };
  }

  #order(key: string): ModelOrder {
    const order = this.orders.get(key);
    if (order === undefined) throw new Error(`there is no order ${key}`);
    return order;
  }

  /** Checks for text codes, as many as the order holds, and never shown for another order (R25). */
  #checkCodes(order: ModelOrder, body: { data: { keys: { code: string }[] }[] }): string | undefined {
    const shown = body.data.flatMap(({ keys }) => keys.map(({ code }) => code));
    if (shown.length !== order.sold || new Set(shown).size !== shown.length) return `not ${order.sold} codes`;
    for (const code of shown) {
      const known = this.codes.get(code);
      if (known?.offerId !== order.offerId || known.kind !== 'text')
        return `${code} is not a code of the offer`;
      if (known.owner !== undefined && known.owner !== order.key)
        return `${code} was shown for ${known.owner}`;
      known.owner = order.key;
    }
    const known = order.shown;
    order.shown = shown;
    return known === undefined || shown.every((code) => known.includes(code))
      ? undefined
      : 'different codes than before';
  }
}

const CART_REASONS = new Set([
  'account-not-active',
  'own-offer',
  'daily-units-max',
  'order-value-max',
  'daily-spend-max',
]);
const UNPAID = new Set(['pending_payment', 'held']);
const ENDED = new Set(['canceled', 'closed']);
/** Statuses of orders that wait for their payment. */
const WAITING = new Set(['pending', 'pending_payment']);
const CONFLICT: Expected = { status: 409, code: 'conflict' };

export function toDay(micros: number): string {
  return new Date(micros / 1000).toISOString().slice(0, 10);
}

export function decimal(minor: number): string {
  return `${Math.floor(minor / 100)}.${String(minor % 100).padStart(2, '0')}`;
}

function toFacts(order: ModelOrder): string {
  const { status, discount, total, offerId, line, invoiced, shipped, refunded, unitPrice } = order;
  return [
    status,
    decimal(discount),
    decimal(total),
    offerId,
    line.quantity,
    invoiced,
    shipped,
    refunded,
    decimal(unitPrice),
  ].join(' ');
}

// biome-ignore lint/suspicious/noExplicitAny: an order as the contract shows it
function differs(facts: string, data: any): string | undefined {
  const item = data?.transactions?.[0]?.items?.[0];
  const { ordered, invoiced, shipped, refunded } = item?.quantity ?? {};
  const shown = [
    data?.status,
    data?.discount,
    data?.totalPrice,
    item?.offer?.id,
    ordered,
    invoiced,
    shipped,
    refunded,
    item?.price,
  ].join(' ');
  return shown === facts ? undefined : `the order is not ${facts}, but ${shown}`;
}

function found<Item extends { readonly id: string }>(things: readonly Item[], id: string): Item {
  const thing = things.find((one) => one.id === id);
  if (thing === undefined) throw new Error(`there is no ${id}`);
  return thing;
}
