/** The idempotency key is on disk before the request, so a run after a crash sends the same one. */
import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import type { Order, Reservation } from '../generated/reseller-contract.ts';
import type { Keyport, OrderRequest } from '../keyport.ts';
import type { CallOptions } from '../options.ts';
import { FINAL_REJECTIONS, KeyportError } from '../requests/errors.ts';
import type { ReservationRequest } from '../resources/reservations.ts';
import { createFile, JournalError, removeFile, replaceFile, toCode } from './durable-files.ts';

type Journal<Request, Made> = {
  readonly keyport: 'order' | 'reservation';
  readonly baseUrl: string;
  readonly idempotencyKey: string;
  readonly request: Request;
  readonly order?: Made;
  readonly reservation?: Made;
};

type Write<Request, Made> = {
  readonly kind: 'order' | 'reservation';
  readonly request: Request;
  readonly send: (request: Request, options: CallOptions) => PromiseLike<Made>;
  /** The function's name, for messages. */
  readonly by: string;
  /** The possible outcome if the journal is damaged, and where to look. */
  readonly suspicion: string;
};

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/**
 * Places the order of the journal file once. Run it again after a crash, with the same file and request: it
 * finds out what happened. Several processes may run it concurrently. Later runs return the order as it was
 * placed, without a request; `orders.get` returns its current status.
 *
 * A rejection, such as `insufficient-funds`, means that nothing was bought: the file is removed, and the next
 * run is a new attempt. So does an invalid request, unless an earlier run sent it. An order that is waiting
 * for payment is returned with the status `pending_payment`.
 *
 * @example
 * ```ts
 * const order = await createOrderOnce(keyport, 'purchases/4711.json', {
 *   auto: { productId, quantity: 1, maxPrice: '15.00' },
 * });
 * ```
 * @throws {@link JournalError} if the file is damaged or belongs to a different purchase; nothing is sent
 * then.
 */
export function createOrderOnce(
  keyport: Keyport,
  journalFile: string,
  request: OrderRequest,
  options: CallOptions = {},
): Promise<Order> {
  const write = {
    kind: 'order',
    request,
    send: (stored: OrderRequest, keyed: CallOptions) => place(keyport, stored, keyed),
    by: 'createOrderOnce',
    suspicion: 'The order may have been placed: look for it in the history (orders.list)',
  } as const;
  return writeOnce(keyport, journalFile, write, options);
}

/**
 * Makes the reservation of the journal file once, as `createOrderOnce` places an order. Later runs return it
 * as it was made, without a request; `reservations.get` returns its current status. It becomes at most one
 * order: after a crash call `reservations.order` again. If it was ordered before, that call is rejected with
 * `reservation-used` and the `orderId`.
 *
 * A rejection, such as `offer-not-available`, means that nothing is reserved: the file is removed, and the
 * next run is a new attempt. The file of an expired reservation stays: reserve again with another file.
 *
 * @example
 * ```ts
 * const { id, totalPrice } = await createReservationOnce(keyport, 'sales/4711.json', {
 *   auto: { productId, quantity: 1, maxPrice: '15.00' },
 *   reference: '4711',
 * });
 * if (await customerPays(totalPrice)) await keyport.reservations.order(id);
 * ```
 * @throws {@link JournalError} if the file is damaged or belongs to a different purchase; nothing is sent
 * then.
 */
export function createReservationOnce(
  keyport: Keyport,
  journalFile: string,
  request: ReservationRequest,
  options: CallOptions = {},
): Promise<Reservation> {
  const write = {
    kind: 'reservation',
    request,
    send: (stored: ReservationRequest, keyed: CallOptions) => keyport.reservations.create(stored, keyed),
    by: 'createReservationOnce',
    suspicion: 'The units may be reserved: look for them (reservations.list)',
  } as const;
  return writeOnce(keyport, journalFile, write, options);
}

async function place(keyport: Keyport, request: OrderRequest, options: CallOptions): Promise<Order> {
  try {
    return await keyport.orders.create(request, options);
  } catch (error) {
    if (!(error instanceof KeyportError && error.is('order-not-paid'))) throw error;
    // The order exists and is waiting for payment.
    const { signal, timeoutMs } = options;
    return keyport.orders.get(error.data.orderId, { signal, timeoutMs });
  }
}

async function writeOnce<Request, Made extends { readonly id: string }>(
  { baseUrl }: Pick<Keyport, 'baseUrl'>,
  journalFile: string,
  write: Write<Request, Made>,
  options: CallOptions,
): Promise<Made> {
  const { kind, request, send } = write;
  const file = resolve(journalFile);
  const idempotencyKey = options.idempotencyKey ?? crypto.randomUUID();
  const wanted = { keyport: kind, baseUrl, idempotencyKey, request };
  const { journal, isNew } = await openJournal(file, write, wanted);
  const before = journal[kind];
  if (before !== undefined) return before;
  try {
    const made = await send(journal.request, { ...options, idempotencyKey: journal.idempotencyKey });
    await replaceFile(file, [toText({ ...journal, [kind]: made })]);
    return made;
  } catch (error) {
    if (error instanceof KeyportError && isRejection(error.code, isNew)) await removeFile(file);
    throw error;
  }
}

/** An earlier run may have sent an invalid request while it was valid. */
function isRejection(code: string, isNew: boolean): boolean {
  return FINAL_REJECTIONS.includes(code) || (isNew && code === 'validation-error');
}

async function openJournal<Request, Made extends { readonly id: string }>(
  file: string,
  write: Write<Request, Made>,
  wanted: Journal<Request, Made>,
): Promise<{ readonly journal: Journal<Request, Made>; readonly isNew: boolean }> {
  const found = await readFile(file, 'utf8').catch((error: unknown) => {
    if (toCode(error) === 'ENOENT') return undefined;
    throw error;
  });
  const isNew = found === undefined && (await createFile(file, toText(wanted)));
  if (isNew) return { journal: wanted, isNew };
  // Another process may have created it in the meantime.
  const journal = parseJournal(file, write, found ?? (await readFile(file, 'utf8')));
  if (canonical(journal.request) !== canonical(wanted.request)) {
    const other = JSON.stringify(journal.request);
    throw new JournalError(
      file,
      `it belongs to a different purchase: ${other}. Use one file for each purchase.`,
    );
  }
  if (journal[write.kind] === undefined && journal.baseUrl !== wanted.baseUrl) {
    throw new JournalError(
      file,
      `the request was sent to ${journal.baseUrl}, so only that service knows what happened. Use that baseUrl.`,
    );
  }
  return { journal, isNew };
}

function parseJournal<Request, Made extends { readonly id: string }>(
  file: string,
  { kind, by, suspicion }: Write<Request, Made>,
  text: string,
): Journal<Request, Made> {
  try {
    const journal = JSON.parse(text) as Journal<Request, Made>;
    const made = journal[kind];
    const isWhole =
      journal.keyport === kind &&
      UUID.test(journal.idempotencyKey) &&
      typeof journal.baseUrl === 'string' &&
      typeof journal.request === 'object' &&
      (made === undefined || typeof made.id === 'string');
    if (isWhole) return journal;
  } catch {
    // Thrown below.
  }
  throw new JournalError(
    file,
    `it is damaged, or not a journal of ${by}. ${suspicion} before you remove the file.`,
  );
}

function toText(journal: object): string {
  return `${JSON.stringify(journal, null, 2)}\n`;
}

/** Equal requests give the same text, regardless of member order. */
function canonical(value: unknown): string {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'null';
  const members = Object.entries(value).filter(([, member]) => member !== undefined);
  return `{${members
    .map(([name, member]) => `${name}:${canonical(member)}`)
    .sort()
    .join()}}`;
}
