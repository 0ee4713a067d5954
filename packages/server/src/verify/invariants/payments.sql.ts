/** What the payment provider has, as far as it said so, is what the books have. */
import type { Invariant } from '../invariant.ts';

export const PAYMENT_INVARIANTS: readonly Invariant[] = [
  {
    id: 'I50',
    title: 'the books charged an order through the provider exactly when the provider said that it did',
    scope: 'order',
    population: 'gateway_payment',
    query: `SELECT 'order ' || payment.order_id || ' is ' || payment.state AS broken FROM gateway_payment AS payment
      WHERE payment.state <> 'open' AND (payment.state = 'paid') <> EXISTS (
        SELECT FROM ledger_transfer WHERE ledger_transfer.order_id = payment.order_id AND kind = 'charge')`,
  },
  {
    id: 'I51',
    title: 'the provider is told to give back exactly what the books gave back',
    scope: 'order',
    population: 'gateway_payment',
    query: `SELECT 'order ' || payment.order_id AS broken FROM gateway_payment AS payment
      LEFT JOIN LATERAL (SELECT coalesce(sum(amount_minor), 0) AS total FROM ledger_transfer
        WHERE ledger_transfer.order_id = payment.order_id AND kind = 'refund') AS booked ON true
      LEFT JOIN LATERAL (SELECT coalesce(sum(amount_minor), 0) AS total FROM gateway_refund
        WHERE gateway_refund.order_id = payment.order_id AND is_booked) AS told ON true
      WHERE booked.total <> told.total`,
  },
];
