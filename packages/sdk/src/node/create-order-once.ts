/**
 * An order that is placed once, even if the program crashes: its idempotency key is on disk before the request is sent, so
 * the next run sends the same request with the same key.
 */
import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import type { Order } from '../generated/reseller-contract.ts';
import type { Keyport, OrderRequest } from '../keyport.ts';
import type { CallOptions } from '../options.ts';
import { KeyportError } from '../requests/errors.ts';
import { codeOf, createFile, removeFile, replaceFile } from './durable-files.ts';
import { JournalError } from './journal-error.ts';

/** Final rejections: nothing was bought, and the same key returns the same response. */
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
  readonly request: OrderRequest;
  /** Set once the order is placed. */
  readonly order?: Order;
};

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/**
 * Places the order of the journal file once. Run it again after a crash, with the same file and request: it finds out what
 * happened. Several processes may run it concurrently. Later runs return the order as it was placed, without a request;
 * `orders.get` returns its current status.
 *
 * A rejection, such as `insufficient-funds`, means that nothing was bought: the file is removed, and the next run is a new
 * attempt. The same applies to an invalid request, unless an earlier run sent it. While the order is waiting for payment,
 * it is returned with the status `pending_payment`.
 *
 * @example
 * ```ts
 * const order = await createOrderOnce(keyport, 'purchases/4711.json', {
 *   auto: { productId, quantity: 1, maxPrice: '15.00' },
 * });
 * ```
 * @throws {@link JournalError} if the file is damaged or belongs to a different purchase; nothing is sent then.
 */
export async function createOrderOnce(
  keyport: Keyport,
  journalFile: string,
  request: OrderRequest,
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
    // The order exists and is waiting for payment.
    const { signal, timeoutMs } = options;
    return keyport.orders.get(error.data.orderId, { signal, timeoutMs });
  }
}

/** An earlier run may have placed an order that is no longer valid. */
function isRejection(code: string, isNew: boolean): boolean {
  return REJECTIONS.includes(code) || (isNew && code === 'validation-error');
}

/** The existing journal, or a new one. */
async function openJournal(
  file: string,
  wanted: Journal,
): Promise<{ readonly journal: Journal; readonly isNew: boolean }> {
  const found = await readIfThere(file);
  const isNew = found === undefined && (await createFile(file, textOf(wanted)));
  if (isNew) return { journal: wanted, isNew };
  // Another process may have created it in the meantime.
  const journal = parseJournal(file, found ?? (await readFile(file, 'utf8')));
  if (canonical(journal.request) !== canonical(wanted.request)) {
    throw new JournalError(
      file,
      `it belongs to a different purchase: ${JSON.stringify(journal.request)}. Use one file for each purchase.`,
    );
  }
  if (journal.order === undefined && journal.baseUrl !== wanted.baseUrl) {
    throw new JournalError(
      file,
      `the order was sent to ${journal.baseUrl}, so only that service knows whether it was placed. Use that baseUrl.`,
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
    // Thrown below.
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

/** The same text for the same request, whatever the order of its members. */
function canonical(value: unknown): string {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'null';
  const members = Object.entries(value).filter(([, member]) => member !== undefined);
  return `{${members
    .map(([name, member]) => `${name}:${canonical(member)}`)
    .sort()
    .join()}}`;
}
