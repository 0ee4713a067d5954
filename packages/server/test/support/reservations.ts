import { equal } from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { sql } from '../../src/db/sql.ts';
import type { ApiResponse, Harness, Reseller } from './harness.ts';

type Keyed = { readonly key?: string; readonly headers?: Readonly<Record<string, string>> };

export function toReservations(h: Harness, { token }: Pick<Reseller, 'token'>, url: string = h.url) {
  const send = (method: string, path: string, body: unknown, { key, headers }: Keyed = {}) =>
    h.callAt(url, method, `/export/v1/reservations${path}`, {
      token,
      body,
      headers: { ...(key === undefined ? {} : { 'idempotency-key': key }), ...headers },
    });
  const reserve = (item: unknown, fields: Record<string, unknown> = {}, keyed: Keyed = {}) =>
    send('POST', '', { items: [item], ...fields }, { key: randomUUID(), ...keyed });
  return {
    reserve,
    async reserved(item: unknown, fields: Record<string, unknown> = {}) {
      const response = await reserve(item, fields);
      equal(response.status, 201, JSON.stringify(response.body));
      return response.body.data;
    },
    order: (id: string, keyed: Keyed = {}) =>
      send('POST', `/${id}/order`, undefined, { key: randomUUID(), ...keyed }),
    renew: (id: string, ttlSeconds: unknown) => send('POST', `/${id}/renew`, { ttlSeconds }),
    release: (id: string): Promise<ApiResponse> => send('DELETE', `/${id}`, undefined),
    async get(id: string) {
      const response = await send('GET', `/${id}`, undefined);
      equal(response.status, 200, JSON.stringify(response.body));
      return response.body.data;
    },
    list: (query = '') => send('GET', query, undefined),
  };
}

/** Ages a reservation; no worker processes its expiry here. */
export async function passTime(h: Harness, id: string, seconds: number): Promise<void> {
  await sql`
    UPDATE reservation SET expires_at = expires_at - ${seconds} * interval '1 second',
      created_at = created_at - ${seconds} * interval '1 second' WHERE id = ${id}`.execute(h.database.db);
}
