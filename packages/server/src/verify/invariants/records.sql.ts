import { MISSING_OBJECTS } from '../../db/migrations/schema-objects.sql.ts';
import type { Invariant } from '../invariant.ts';

export const RECORD_INVARIANTS: readonly Invariant[] = [
  {
    id: 'I98',
    title: 'every table, index, constraint, trigger and function is as the last migration left it',
    population: `unnest((SELECT objects FROM schema_migration ORDER BY name DESC LIMIT 1))`,
    query: `SELECT object || ' is missing or was changed' AS broken FROM (${MISSING_OBJECTS}) AS missing`,
  },
  {
    id: 'I29',
    title: 'the idempotency key of an order has no stored rejection',
    population: 'rejected_order',
    query: `SELECT 'the idempotency key of order ' || "order".id || ' has a rejection too' AS broken FROM rejected_order
      JOIN "order" USING (account_id, idempotency_key)`,
  },
  {
    id: 'I30',
    title:
      'the response stored for a payment is that of its order, and is missing only while the payment is unsettled',
    population: 'gateway_payment',
    query: `SELECT 'order ' || payment.order_id AS broken FROM gateway_payment AS payment
      LEFT JOIN "order" ON "order".id = payment.order_id
      WHERE CASE response_status
        WHEN 201 THEN response_body::jsonb #>> '{data,id}' = payment.order_id::text
          AND replace(response_body::jsonb #>> '{data,totalPrice}', '.', '')::numeric = total_price_minor
        WHEN 402 THEN response_body::jsonb #>> '{error,data,orderId}' = payment.order_id::text
        ELSE response_status IS NULL AND state = 'open' AND status IN ('pending_payment', 'held') END IS NOT TRUE`,
  },
  {
    id: 'I105',
    title:
      'an active admin exists once there are operators, and a disabled person has no session and no link',
    population: 'person',
    query: `SELECT 'no active operator is an admin' AS broken
      WHERE EXISTS (SELECT FROM person WHERE audience = 'operator')
        AND NOT EXISTS (SELECT FROM person WHERE role = 'admin' AND disabled_at IS NULL)
      UNION ALL
      SELECT 'person ' || person_id || ' is disabled but has a session or a link'
      FROM person_token JOIN person ON person.id = person_id WHERE disabled_at IS NOT NULL`,
  },
  {
    id: 'I42',
    title: 'every wrapped key and secret is under the current master key',
    population:
      '(SELECT FROM service_secret UNION ALL SELECT FROM signing_key UNION ALL SELECT FROM data_key UNION ALL SELECT FROM webhook_secret) AS wrapped',
    // A value without a key id is valid until the first rotation.
    query: `SELECT what || ' is under the master key ' || coalesce(wrapped.master_key_id, '(not named)') AS broken
      FROM (SELECT 'service secret ' || name AS what, master_key_id FROM service_secret
        UNION ALL SELECT 'signing key ' || kid, master_key_id FROM signing_key
        UNION ALL SELECT 'data key ' || id, master_key_id FROM data_key
        UNION ALL SELECT 'webhook secret ' || id, master_key_id FROM webhook_secret) AS wrapped
      JOIN installation ON wrapped.master_key_id IS DISTINCT FROM installation.master_key_id
      WHERE wrapped.master_key_id IS NOT NULL OR EXISTS (SELECT FROM audit_entry WHERE action = 'master-key.rotate')`,
  },
  {
    id: 'I101',
    title:
      'the audit log has the request of each approval and its decision, and the approver is among those who could act as the approver',
    population: 'approval',
    query: `SELECT 'approval ' || approval.id AS broken FROM approval
      LEFT JOIN audit_entry AS request ON request.action = 'approval.request'
        AND request.data ->> 'approvalId' = approval.id::text AND request.client_id = requested_by
      LEFT JOIN audit_entry AS decision ON decision.action = CASE status WHEN 'approved' THEN 'approval.approve' ELSE 'approval.reject' END
        AND decision.data ->> 'approvalId' = approval.id::text AND decision.client_id = decided_by
      WHERE request.id IS NULL OR (decision.id IS NULL) <> (status = 'pending')
        OR status = 'approved' AND approver_chain IS NOT NULL AND decided_by <> ALL (approver_chain)`,
  },
  {
    id: 'I76',
    title: 'no record names an account, an offer, an order or a ledger account that does not exist',
    population: `(SELECT FROM "order" UNION ALL SELECT FROM ledger_transfer
      UNION ALL SELECT FROM order_status_log UNION ALL SELECT FROM rejected_order) AS naming`,
    // Orders have no foreign keys.
    query: `SELECT 'order ' || "order".id AS broken FROM "order"
      LEFT JOIN account ON account.id = "order".account_id LEFT JOIN offer ON offer.id = "order".offer_id
      WHERE account.id IS NULL OR (origin = 'export-api' AND offer.id IS NULL)
      UNION ALL
      SELECT 'transfer ' || transfer.id FROM ledger_transfer AS transfer
      LEFT JOIN account ON account.id = transfer.account_id LEFT JOIN "order" ON "order".id = transfer.order_id
      LEFT JOIN ledger_account AS source ON source.id = from_ledger_account_id
      LEFT JOIN ledger_account AS target ON target.id = to_ledger_account_id
      WHERE account.id IS NULL OR source.id IS NULL OR target.id IS NULL
        OR (transfer.order_id IS NOT NULL AND "order".id IS NULL)
      UNION ALL
      SELECT 'status change ' || log.id FROM order_status_log AS log LEFT JOIN "order" ON "order".id = log.order_id
      WHERE "order".id IS NULL
      UNION ALL
      SELECT 'rejection ' || idempotency_key FROM rejected_order LEFT JOIN account ON account.id = account_id
      WHERE account.id IS NULL`,
  },
];
