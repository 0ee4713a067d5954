import { equal } from 'node:assert/strict';
import type { Event } from '@keyport/contract/webhooks/events';
import type { ApiResponse, Harness, Reseller } from './harness.ts';

export type EventQuery = {
  readonly cursor?: string;
  readonly limit?: number;
  readonly wait?: number;
  readonly types?: readonly string[];
};

export type EventsBody = {
  readonly data: readonly Event[];
  readonly meta: { readonly nextCursor: string; readonly hasMore: boolean };
};

export function askForEvents(
  reseller: Reseller,
  { types = [], ...query }: EventQuery = {},
): Promise<ApiResponse> {
  const members = Object.entries(query).map(([name, value]) => [name, String(value)]);
  const wanted = types.map((type) => ['types[]', type]);
  return reseller.get(`/events?${new URLSearchParams([...members, ...wanted])}`);
}

export async function readEvents(reseller: Reseller, query: EventQuery = {}): Promise<EventsBody> {
  const { status, body } = await askForEvents(reseller, query);
  equal(status, 200, JSON.stringify(body));
  return body;
}

export async function allEvents(h: Harness, reseller: Reseller, query: EventQuery = {}): Promise<Event[]> {
  await h.service.eventsWritten();
  const events: Event[] = [];
  let { cursor } = query;
  for (let hasMore = true; hasMore; ) {
    const { data, meta } = await readEvents(reseller, {
      ...query,
      ...(cursor === undefined ? {} : { cursor }),
    });
    events.push(...data);
    cursor = meta.nextCursor;
    ({ hasMore } = meta);
  }
  return events;
}

export async function cursorOfNow(h: Harness, reseller: Reseller): Promise<string> {
  await h.service.eventsWritten();
  return (await readEvents(reseller, { cursor: 'now' })).meta.nextCursor;
}
