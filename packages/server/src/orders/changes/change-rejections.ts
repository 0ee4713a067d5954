import type { ChangeRejection } from '@keyport/core/orders/decide-change';
import { type ApiError, conflict, invalidField } from '@keyport/http/replies/api-error';

export type ChangeName = 'hold' | 'release' | 'cancel' | 'refund';

const ALLOWED: Readonly<Record<ChangeName, string>> = {
  hold: 'Only a pending, pending_payment or processing order can be held.',
  release: 'Only a held order can be released.',
  cancel: 'Only an unpaid order that is not canceled yet can be canceled.',
  refund: 'Only a paid order that is not closed yet can be refunded.',
};

export function describeChangeRejection(rejection: ChangeRejection, name: ChangeName): ApiError {
  switch (rejection.code) {
    case 'illegal-transition':
      return conflict(`This order is ${rejection.from}. ${ALLOWED[name]}`, { status: rejection.from });
    case 'order-is-paid':
      return conflict('The order is paid; refund it instead of canceling it.');
    case 'order-is-not-paid':
      return conflict('The order is not paid; cancel it instead of refunding it.');
    case 'order-was-imported':
      return conflict('The order was imported from elsewhere; change it in its own system.');
    case 'refund-whole-before-delivery':
      return conflict(
        'An order that is not delivered can only be refunded in full: leave out items, or release the order first.',
      );
    case 'unknown-key':
      return invalidField(keyField(rejection), 'must be the id of a key that the item has');
    case 'key-was-refunded':
      return conflict(`${keyField(rejection)} is a key that was already refunded. Choose a different one.`);
    case 'keys-were-read':
      return conflict(
        'Some keys of the refund were read, so their units cannot return to stock; leave out returnToStock, or send withdrawKeys.',
      );
    case 'unknown-item':
      return invalidField(`body.items[${rejection.lineIndex}].id`, 'must be the id of an item of the order');
    case 'too-many-units':
      return conflict(
        `body.items[${rejection.lineIndex}].quantity is above the item's refundable quantity, which is ${rejection.refundable}.`,
        { refundable: rejection.refundable },
      );
  }
}

function keyField({ lineIndex, keyIndex }: Record<'lineIndex' | 'keyIndex', number>): string {
  return `body.items[${lineIndex}].keyIds[${keyIndex}]`;
}
