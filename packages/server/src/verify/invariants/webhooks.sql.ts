import type { Invariant } from '../invariant.ts';

export const WEBHOOK_INVARIANTS: readonly Invariant[] = [
  {
    id: 'I86',
    title: 'the event of a delivery belongs to the account of its endpoint',
    population: 'webhook_delivery',
    query: `SELECT 'delivery of event ' || event.id || ' to endpoint ' || endpoint.id AS broken
      FROM webhook_delivery AS delivery JOIN webhook_endpoint AS endpoint ON endpoint.number = delivery.endpoint
      JOIN event ON event.id = delivery.event_id WHERE event.account_id <> endpoint.account_id`,
  },
];
