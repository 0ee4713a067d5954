import type { Invariant } from '../invariant.ts';

export const CLAIM_INVARIANTS: readonly Invariant[] = [
  {
    id: 'I120',
    title: 'the keys of a claim are open while it is, and have outcomes once it is decided',
    population: 'claim_key',
    query: `SELECT 'claim ' || claim.id AS broken FROM claim LEFT JOIN claim_key ON claim_id = claim.id
      WHERE claim_id IS NULL OR is_open <> (status = 'open') OR (outcome IS NOT NULL) <> (status = 'decided')`,
  },
  {
    id: 'I121',
    title:
      'refunds of returns and claims are in the books, and keys that a claim replaced have a replacement',
    population: 'claim_key WHERE outcome IS NOT NULL',
    query: `WITH told AS (
        SELECT order_id, sum((data ->> 'amount')::numeric * 100) AS amount FROM audit_entry
        WHERE action <> 'keys.read' AND action IN ('order.refund', 'order.return') GROUP BY order_id
      ), booked AS (
        SELECT order_id, sum(amount_minor) AS amount FROM ledger_transfer WHERE kind = 'refund' GROUP BY order_id
      )
      SELECT 'order ' || order_id AS broken FROM told LEFT JOIN booked USING (order_id)
      WHERE told.amount > coalesce(booked.amount, 0)
      UNION ALL
      SELECT 'claim ' || claim_id || ', key ' || place FROM claim_key JOIN claim ON claim.id = claim_id
      JOIN stock_key ON stock_key.id = stock_key_id
      WHERE outcome = 'refunded' AND (refunded_at IS NULL OR transfer_id IS NOT NULL
          AND NOT EXISTS (SELECT FROM ledger_transfer AS booking
            WHERE booking.id = claim.transfer_id AND booking.order_id = claim.order_id AND booking.kind = 'refund'))
        OR outcome = 'replaced'
          AND NOT EXISTS (SELECT FROM key_replacement WHERE key_replacement.stock_key_id = stock_key.id)`,
  },
];
