import type { Order } from '../generated/reseller-contract.ts';
import type { Keyport, OrderRequest } from '../keyport.ts';
import type { CallOptions } from '../options.ts';
import { KeyportError } from '../requests/errors.ts';
import { writeOnce } from './write-once.ts';

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
