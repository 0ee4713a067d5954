import { texts as formTexts } from '../forms/texts.ts';
import { formatCount, isolated, plural, some } from '../texts.ts';

const DONE = { release: 'released', hold: 'held', refund: 'refunded' } as const;

export const texts = {
  orders: {
    newRows: (count: number) => `${plural(count, 'new row')} · Show`,
    empty: 'No orders yet. They appear here when a reseller places one.',
  },
  order: {
    title: (id: string) => `Order ${id}`,
    items: 'Items',
    offer: 'Offer',
    paid: (count: number, all: number) => `${formatCount(count)} of ${formatCount(all)} paid`,
    delivered: (count: number, all: number) => `${formatCount(count)} of ${formatCount(all)} delivered`,
    refunded: (count: number, all: number) => `${formatCount(count)} of ${formatCount(all)} refunded`,
    refundedInPart: 'Refunded in part',
    refund: 'Refunded',
    kept: 'Kept',
    heldBecause: (reason: string) => `Held: ${isolated(reason)}`,
    heldBy: (person: string, reason: string) => `Held by ${isolated(person)}: ${isolated(reason)}`,
    heldWithoutReason: 'Held. No reason was recorded.',
    releasedBy: 'Released by',
    service: 'The service',
    placed: 'Placed',
    customerSince: 'Account since',
    otherOrders: 'Other orders of this account',
    noOthers: 'None.',
    showOrders: 'Show all orders of this account',
  },
  rejections: {
    terms: (quantity: number, maxPrice: string) => `${plural(quantity, 'unit')}, at most ${maxPrice} each`,
    noOffer: 'No such offer',
    noProduct: (id: string) => `No product ${id}`,
    kept: 'Orders rejected in the last 30 days. Resellers can find them in their own logs by idempotency key.',
    page: 'Reseller documentation for this code',
    empty: 'No orders were rejected in the last 30 days.',
    /** The meaning of a code, and the remedy. */
    codes: {
      'cart-validation-error': [
        'The account may not place this order because of its status or a limit, or because the offer belongs to the account.',
        "If the reseller should be able to order this, change the account's limits or status.",
      ],
      'insufficient-funds': [
        'The balance of the account did not cover the order.',
        'Ask the reseller to top up, and book the deposit when it arrives.',
      ],
      'max-price-exceeded': [
        'The offer costs more than the maximum price of the order.',
        'Nothing, unless a price is wrong: check the latest price changes.',
      ],
      'offer-not-available': [
        'There are two causes. Too few units were on sale, or the named offer was paused, sold out or unknown; or units were on sale, but above the maximum price of the order. The response beside each order says which.',
        'If units were missing, add keys or activate the offer. If the maximum price was too low, check the latest price changes; there is nothing to do if the prices are right. If one account has many such rejections, its copy of the catalogue is out of date: ask the reseller to read changes more often.',
      ],
      'payment-not-configured': [
        'The account has no working payment method.',
        'Edit the account and choose how it pays. A card also needs a customer at the payment provider.',
      ],
      'product-excluded': [
        'Products of this class are not sold through the API.',
        'If the class of the product is wrong, edit the product. Otherwise ask the reseller to leave it out.',
      ],
    } as Readonly<Record<string, readonly [string, string]>>,
    means: 'What it means',
    todo: 'What to do',
  },
  orderKeys: {
    wasRead: 'read',
    read: 'first read',
    refundedAs: { kept: 'refunded', returned: 'refunded, back to stock', withdrawn: 'refunded, withdrawn' },
    replaced: 'replaced',
  },
  orderActions: {
    hold: {
      name: 'Hold',
      title: (id: string) => `Hold order ${id}`,
      submit: 'Hold order',
      done: 'Order held',
      says: 'The order stops until an operator releases it.',
    },
    release: {
      name: 'Release',
      title: (id: string) => `Release order ${id}`,
      submit: 'Release order',
      done: 'Order released',
      says: 'The order continues where it stopped.',
    },
    cancel: {
      name: 'Cancel order',
      title: (id: string) => `Cancel order ${id}`,
      submit: 'Cancel order',
      done: 'Order canceled',
      says: 'Its units go back to stock. Nothing was paid.',
    },
    refund: {
      name: 'Refund',
      title: (id: string) => `Refund order ${id}`,
      submit: (amount: string) => `Refund ${amount}`,
      submitPlain: 'Refund',
      whole: 'Before delivery, the whole order is refunded. No key was read.',
      nothing: 'Select the keys to refund.',
      gone: 'Someone else has refunded or replaced a selected key. Select again.',
      units: (product: string) => `Keys of ${isolated(product)}`,
      all: (count: number) => `Select all ${plural(count, 'key')}`,
      none: 'Select none',
      keys: 'After the refund, the keys',
      wasRead: 'A selected key was read.',
      choices: {
        return: 'go back to stock',
        keep: 'stay with the order, readable while it is complete',
        withdraw: 'leave the order and are never sold again',
      },
      done: (amount: string) => `${amount} refunded`,
    },
    imported: 'This order was imported. Change it in the system it came from.',
    /** Why an action that an operator may expect is missing. */
    whyNoOther: {
      canceled: 'Canceled before payment: there is nothing to refund.',
      openPayment: 'Canceled, but the outcome of its payment is not known yet. It may have to be refunded.',
      closed: 'Everything was refunded.',
      complete: 'Delivered: it can only be refunded.',
      paid: 'Paid: refund it instead of canceling it.',
      unpaid: 'Not paid yet: there is nothing to refund.',
    },
  },
  replaceKey: {
    name: 'Replace',
    title: (code: string) => `Replace key ${code}`,
    submit: 'Replace key',
    done: 'Key replaced. The reseller finds the new key in the order.',
    says: 'This key leaves the order and is never sold again. The order gets another key from the same offer. No money moves.',
  },
  bulk: {
    title: {
      release: (count: number) => `Release ${plural(count, 'order')}`,
      hold: (count: number) => `Hold ${plural(count, 'order')}`,
      refund: (count: number) => `Refund ${plural(count, 'order')}`,
    },
    /** Has numbers if the action is possible for fewer orders than are selected. */
    action: (name: string, count: number, all: number) =>
      count === all ? `${name}…` : `${name} ${formatCount(count)} of ${formatCount(all)}…`,
    refund: (sum: string) => `Refund ${sum}`,
    refundAndAsk: (now: string, asked: string) => `Refund ${now}, request approval of ${asked}`,
    possible: 'Orders that can be changed',
    value: 'Their value',
    accounts: 'Accounts',
    oldest: 'The oldest was placed',
    leftOut: (count: number) =>
      `${plural(count, 'order has', 'orders have')} a request that waits for approval. Without your consent, ${count === 1 ? 'it is' : 'they are'} left out.`,
    takeOpen: (count: number) => `Take ${count === 1 ? 'it' : `these ${plural(count, 'order')}`} too`,
    stopped: (name: keyof typeof DONE, done: number, left: number) =>
      formTexts.steps.stopped(done, DONE[name], left),
    sum: 'To the resellers',
    choices: {
      return: 'go back to stock, except those of orders with a key that was read',
      keep: 'stay with delivered orders, and go back to stock before delivery',
      withdraw: 'leave their orders and are never sold again',
    },
    waiting: 'Of these, awaiting approval',
    done: (name: 'release' | 'hold' | 'refund', done: number, waiting: number) =>
      [
        ...some(done, `${plural(done, 'order')} ${DONE[name]}`),
        ...some(waiting, `${plural(waiting, 'waits', 'wait')} for approval`),
      ].join(', '),
  },
} as const;
