import type { Invariant } from '../invariant.ts';

export const WEBHOOK_INVARIANTS: readonly Invariant[] = [
  {
    id: 'I85',
    title:
      'a webhook endpoint has one permanent secret and at most four expiring ones; an account has at most 16 endpoints',
    population: 'webhook_endpoint WHERE deleted_at IS NULL',
    query: `SELECT 'endpoint ' || endpoint.id || ' has ' || stay || ' permanent and ' || expire || ' expiring secrets' AS broken
      FROM webhook_endpoint AS endpoint CROSS JOIN LATERAL (
        SELECT count(*) FILTER (WHERE expires_at IS NULL) AS stay,
          count(*) FILTER (WHERE expires_at IS NOT NULL) AS expire
        FROM webhook_secret WHERE webhook_secret.endpoint = endpoint.number
      ) AS secrets WHERE deleted_at IS NULL AND (stay <> 1 OR expire > 4)
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
];
