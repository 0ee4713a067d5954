/**
 * An order that is placed once, whatever happens to the program: its idempotency key is on disk before the request leaves, so
 * whoever runs it again sends the same request with the same key.
 */
import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { KeyportError } from '../errors.ts';
import type { CreateOrderItem, Order } from '../generated/reseller-contract.ts';
import type { Keyport } from '../keyport.ts';
import type { CallOptions } from '../options.ts';
import { codeOf, createFile, removeFile, replaceFile } from './durable-files.ts';
import { JournalError } from './journal-error.ts';

/** The service has decided, nothing was bought, and the same key would be answered the same again. */
const REJECTIONS: readonly string[] = [
  'cart-validation-error',
  'offer-not-available',
  'max-price-exceeded',
  'product-excluded',
  'insufficient-funds',
  'payment-went-wrong',
  'payment-not-configured',
];

type Journal = {
  readonly keyport: 'order';
  readonly baseUrl: string;
  readonly idempotencyKey: string;
  readonly request: CreateOrderItem;
  /** Once it is placed. */
  readonly order?: Order;
};

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/**
 * Places the order of the journal file, once. Run it again after a crash, with the same file and request: it finds out what
 * happened. Several processes may run it at the same time. From then on it returns the order as it was then, without a request;
 * `orders.get` has its present status.
 *
 * A rejection, such as `insufficient-funds`, means that nothing was bought: the file is removed, and running it again is a new
 * attempt. The same goes for a request that is not valid, unless an earlier run has sent it. While the payment is open the order is returned as it is, `pending_payment`.
 *
 * @example
 * ```ts
 * const order = await createOrderOnce(keyport, 'purchases/4711.json', {
 *   auto: { productId, quantity: 1, maxPrice: '15.00' },
 * });
 * ```
 * @throws {@link JournalError} when the file is damaged or belongs to another purchase; nothing is sent then.
 */
export async function createOrderOnce(
  keyport: Keyport,
  journalFile: string,
  request: CreateOrderItem,
  options: CallOptions = {},
): Promise<Order> {
  const file = resolve(journalFile);
  const { journal, isNew } = await openJournal(file, {
    keyport: 'order',
    baseUrl: keyport.baseUrl,
    idempotencyKey: options.idempotencyKey ?? crypto.randomUUID(),
    request,
  });
  if (journal.order !== undefined) return journal.order;
  try {
    const order = await place(keyport, journal, options);
    await replaceFile(file, [textOf({ ...journal, order })]);
    return order;
  } catch (error) {
    if (error instanceof KeyportError && isRejection(error.code, isNew)) await removeFile(file);
    throw error;
  }
}

async function place(keyport: Keyport, journal: Journal, options: CallOptions): Promise<Order> {
  const { idempotencyKey, request } = journal;
  try {
    return await keyport.orders.create(request, { ...options, idempotencyKey });
  } catch (error) {
    if (!(error instanceof KeyportError && error.is('order-not-paid'))) throw error;
    // The order exists and waits for its payment.
    const { signal, timeoutMs } = options;
    return keyport.orders.get(error.data.orderId, { signal, timeoutMs });
  }
}

/** An earlier run may have placed an order that is not valid any more. */
function isRejection(code: string, isNew: boolean): boolean {
  return REJECTIONS.includes(code) || (isNew && code === 'validation-error');
}

/** The journal that is there, or a new one. */
async function openJournal(
  file: string,
  wanted: Journal,
): Promise<{ readonly journal: Journal; readonly isNew: boolean }> {
  const found = await readIfThere(file);
  const isNew = found === undefined && (await createFile(file, textOf(wanted)));
  if (isNew) return { journal: wanted, isNew };
  // Another process may have made it since we looked.
  const journal = parseJournal(file, found ?? (await readFile(file, 'utf8')));
  if (canonical(journal.request) !== canonical(wanted.request)) {
    throw new JournalError(
      file,
      `it belongs to another purchase, of ${JSON.stringify(journal.request)}. Use one file for each purchase.`,
    );
  }
  if (journal.order === undefined && journal.baseUrl !== wanted.baseUrl) {
    throw new JournalError(
      file,
      `the order was sent to ${journal.baseUrl}, so only that service knows whether it was placed. Run it with that baseUrl.`,
    );
  }
  return { journal, isNew };
}

async function readIfThere(file: string): Promise<string | undefined> {
  return readFile(file, 'utf8').catch((error: unknown) => {
    if (codeOf(error) === 'ENOENT') return undefined;
    throw error;
  });
}

function parseJournal(file: string, text: string): Journal {
  try {
    const journal = JSON.parse(text) as Journal;
    const isWhole =
      journal.keyport === 'order' &&
      UUID.test(journal.idempotencyKey) &&
      typeof journal.baseUrl === 'string' &&
      typeof journal.request === 'object' &&
      (journal.order === undefined || typeof journal.order.id === 'string');
    if (isWhole) return journal;
  } catch {
    // Said below.
  }
  throw new JournalError(
    file,
    'it is damaged, or no journal of createOrderOnce. The order may have been placed: look for it in the history ' +
      '(orders.list) before you remove the file.',
  );
}

function textOf(journal: Journal): string {
  return `${JSON.stringify(journal, null, 2)}\n`;
}

/** The same text for the same request, however its members are ordered. */
function canonical(value: unknown): string {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'null';
  const members = Object.entries(value).filter(([, member]) => member !== undefined);
  return `{${members
    .map(([name, member]) => `${name}:${canonical(member)}`)
    .sort()
    .join()}}`;
}
