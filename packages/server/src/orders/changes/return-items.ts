import type { Order } from '@keyport/contract/orders/orders';
import type { OrderReturn } from '@keyport/contract/orders/refunds';
import { type ReturnRejection, rejectReturn } from '@keyport/core/orders/after-sale';
import { ApiError } from '@keyport/http/replies/api-error';
import type { Tx } from '../../db/schema.ts';
import type { Written } from '../../operations/operation.ts';
import { wereKeysRead } from '../keys/order-keys.sql.ts';
import { buildOrder } from '../order-response.ts';
import { describeChangeRejection } from './change-rejections.ts';
import { loadOrder } from './order-effect.ts';
import { describeUndelivered, lockOwnOrder, type OwnOrderRequest } from './own-order.ts';
import { refundOrder } from './refund-order.ts';
import type { WriteDeps } from './write-order.ts';

export async function returnItems(
  tx: Tx,
  request: OwnOrderRequest<OrderReturn>,
  deps: WriteDeps,
): Promise<Written<Order>> {
  const { items, reason = 'returned by the reseller' } = request.body;
  const order = await lockOwnOrder(tx, request, 'returnWindowHours');
  const lines = items.map(({ id: itemId, quantity }) => ({ itemId, quantity }));
  // The lock makes a read of the keys wait, unless it is recorded (A119).
  const isRead = await wereKeysRead(tx, order.id);
  const rejection = rejectReturn({ ...order, isRead }, lines, order.clock);
  if (rejection !== undefined) throw describeRejection(rejection, order.windowHours);
  const body = { reason, items, returnToStock: true };
  const command = { ...request, orderId: order.id, body, action: 'order.return' } as const;
  const { status, onCommitted } = await refundOrder(tx, command, deps);
  return { status, data: buildOrder(await loadOrder(tx, order.id)), ...(onCommitted && { onCommitted }) };
}

function describeRejection(rejection: ReturnRejection, windowHours: number): ApiError {
  switch (rejection.code) {
    case 'order-not-complete':
      return describeUndelivered(rejection);
    case 'unknown-item':
      return describeChangeRejection(rejection, 'refund');
    case 'return-not-possible': {
      const { code, reason, refundable } = rejection;
      const data = { reason, refundable, windowHours: reason === 'window-over' ? windowHours : undefined };
      return new ApiError(code, { message: MESSAGES[reason], data });
    }
  }
}

const MESSAGES = {
  'not-offered': 'Returns are not offered for this order. Nothing was returned. Ask your account manager.',
  'window-over': 'The return window of this order has ended. Nothing was returned.',
  'keys-were-read':
    'Keys of the item were read, so its units cannot be returned. Nothing was returned. Report a faulty key as a claim.',
  'too-many': 'Fewer units of the item can be returned. Nothing was returned. Return fewer units.',
} as const;
