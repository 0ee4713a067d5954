import type { Breaks } from './break.ts';
import type { World } from './world.ts';

/** Orders whose payment has ended. */
const ANSWERED = ['gatewayPaid', 'declined'] as const;

export const RECORD_BREAKS: Breaks = {
  I98: [
    { statements: () => ['DROP TRIGGER offer_logged_update ON offer'] },
    { statements: () => ['DROP INDEX order_first_unit_uq'] },
    { statements: () => ['ALTER TABLE audit_entry DISABLE TRIGGER audit_entry_append_only'] },
    { statements: () => ['DROP TRIGGER order_kept ON "order"'] },
  ],
  I29: [
    {
      statements: ({ complete }) => [
        `INSERT INTO rejected_order SELECT account_id, idempotency_key, 'test', 400, '{}', clock_timestamp()
          FROM "order" WHERE id = ${complete}`,
      ],
    },
  ],
  I30: [
    ...ANSWERED.map((order) => ({
      statements: ({ [order]: orderId }: World) => [
        `UPDATE gateway_payment SET response_body = replace(response_body, '${orderId}', '1234567890123456')
          WHERE order_id = ${orderId}`,
      ],
    })),
    {
      statements: ({ gatewayPaid }) => [
        `UPDATE gateway_payment SET response_body = replace(response_body, '"totalPrice":"20.00"', '"totalPrice":"20.01"')
          WHERE order_id = ${gatewayPaid}`,
      ],
    },
    ...ANSWERED.map((order) => ({
      statements: ({ [order]: orderId }: World) => [
        `UPDATE gateway_payment SET response_status = NULL, response_body = NULL, answered_at = NULL
          WHERE order_id = ${orderId}`,
      ],
    })),
  ],
  I105: [
    { statements: () => [`UPDATE person SET role = 'viewer'`] },
    {
      statements: () => [
        `INSERT INTO person (id, audience, name, email, email_key, role, disabled_at)
          VALUES ('person_1', 'operator', 'Gone', 'gone@x', 'gone@x', 'viewer', clock_timestamp())`,
        `INSERT INTO person_token (mac, kind, person_id, ends_at)
          VALUES ('\\x00', 'link', 'person_1', clock_timestamp())`,
      ],
    },
  ],
  I42: {
    statements: () => [`UPDATE installation SET master_key_id = 'another'`],
  },
  I76: [
    {
      statements: ({ declined }) => [
        `UPDATE "order" SET account_id = gen_random_uuid() WHERE id = ${declined}`,
      ],
      also: ['I92', 'I95'],
    },
    {
      statements: ({ imageRefunded }) => [
        `UPDATE "order" SET offer_id = gen_random_uuid() WHERE id = ${imageRefunded}`,
      ],
      also: ['I95'],
    },
    {
      statements: ({ gatewayPaid }) => [
        `UPDATE ledger_transfer SET account_id = gen_random_uuid() WHERE order_id = ${gatewayPaid}`,
      ],
      also: ['I43'],
    },
    {
      statements: ({ gatewayPaid }) => [
        `UPDATE ledger_transfer SET to_ledger_account_id = 0 WHERE order_id = ${gatewayPaid}`,
      ],
      also: ['I43', 'I95'],
    },
    {
      statements: ({ gatewayPaid }) => [
        `UPDATE ledger_transfer SET order_id = 1 WHERE order_id = ${gatewayPaid}`,
      ],
      also: ['I6', 'I43', 'I47', 'I95'],
    },
    {
      statements: () => [
        `INSERT INTO order_status_log (order_id, from_status, to_status, at, actor, reason)
          VALUES (1, 'complete', 'closed', clock_timestamp(), 'test', 'test')`,
      ],
    },
    { statements: () => ['UPDATE rejected_order SET account_id = gen_random_uuid()'] },
  ],
  I101: [
    {
      statements: () => [
        'ALTER TABLE approval DROP CONSTRAINT approval_two_people_ck',
        `UPDATE approval SET decided_by = requested_by WHERE status = 'approved'`,
      ],
    },
    {
      statements: () => [`UPDATE approval SET requested_by = 'nobody' WHERE status = 'pending'`],
    },
    {
      statements: () => [`UPDATE approval SET decided_by = 'nobody' WHERE status = 'approved'`],
    },
    { statements: () => [`UPDATE approval SET approver_chain = '{}' WHERE status = 'approved'`] },
  ],
};
