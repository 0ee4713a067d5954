import type { Invariant } from '../invariant.ts';

export const WEBHOOK_INVARIANTS: readonly Invariant[] = [
  {
    id: 'I85',
    title:
      'a webhook endpoint has one permanent secret, at most four expiring ones, and one queue; an account has at most 16 endpoints',
    population: 'webhook_endpoint WHERE deleted_at IS NULL',
    query: `SELECT 'endpoint ' || endpoint.id || ' has ' || stay || ' permanent and ' || expire || ' expiring secrets' AS broken
      FROM webhook_endpoint AS endpoint CROSS JOIN LATERAL (
        SELECT count(*) FILTER (WHERE expires_at IS NULL) AS stay,
          count(*) FILTER (WHERE expires_at IS NOT NULL) AS expire
        FROM webhook_secret WHERE webhook_secret.endpoint = endpoint.number
      ) AS secrets WHERE deleted_at IS NULL AND (stay <> 1 OR expire > 4)
      UNION ALL
      SELECT 'endpoint ' || id || ' has no queue' FROM webhook_endpoint
      WHERE NOT EXISTS (SELECT FROM webhook_queue WHERE endpoint = number)
      UNION ALL
      SELECT 'account ' || account_id || ' has ' || count(*) || ' endpoints' FROM webhook_endpoint
      WHERE deleted_at IS NULL GROUP BY account_id HAVING count(*) > 16`,
  },
  {
    id: 'I86',
    title: 'the event of a delivery belongs to the account of its endpoint',
    population: 'webhook_delivery',
    query: `SELECT 'delivery of event ' || event.id || ' to endpoint ' || endpoint.id AS broken
      FROM webhook_delivery AS delivery JOIN webhook_endpoint AS endpoint ON endpoint.number = delivery.endpoint
      JOIN event ON event.id = delivery.event_id WHERE event.account_id <> endpoint.account_id`,
  },
  {
    id: 'I87',
    title:
      'a pending delivery will be sent: a node holds its endpoint, or it is due no later than the delivery',
    population: 'webhook_delivery WHERE next_attempt_at IS NOT NULL',
    query: `SELECT 'endpoint ' || endpoint.id || ' is due at ' || coalesce(due_at::text, 'no time') AS broken
      FROM webhook_queue JOIN webhook_endpoint AS endpoint ON number = endpoint
      CROSS JOIN LATERAL (
        SELECT min(next_attempt_at) AS first_at FROM webhook_delivery
        WHERE webhook_delivery.endpoint = number AND next_attempt_at IS NOT NULL
      ) AS pending
      WHERE deleted_at IS NULL AND disabled_reason IS NULL AND holder IS NULL
        AND first_at < coalesce(due_at, 'infinity')`,
  },
];
