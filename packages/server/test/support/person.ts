/** People in their browsers: a cookie, the service's own Origin, and the token that writes need. */
import { equal } from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import type { MemberRole, Role } from '@keyport/contract/roles';
import { sql } from '../../src/db/sql.ts';
import type { ApiResponse, CallOptions, Harness } from './harness.ts';

export type Person = {
  readonly id: string;
  readonly cookie: string;
  readonly csrfToken: string;
  call(method: string, path: string, options?: CallOptions & { readonly url?: string }): Promise<ApiResponse>;
};

export async function seedPerson(h: Harness, role: Role = 'admin'): Promise<Person> {
  const { invitationUrl } = await h.operate('POST', '/operators', { name: 'Ada', email: someEmail(), role });
  return enter(h, await postLink(h, invitationUrl));
}

export async function seedMember(
  h: Harness,
  { accountId }: { readonly accountId: string },
  role: MemberRole = 'owner',
): Promise<Person> {
  const body = { name: 'Grace', email: someEmail(), role };
  const { invitationUrl } = await h.operate('POST', `/accounts/${accountId}/members`, body);
  return enter(h, await postLink(h, invitationUrl));
}

export function someEmail(): string {
  return `ada-${randomUUID()}@marketplace.example`;
}

export function postLink(
  h: Harness,
  invitationUrl: string,
  headers: Record<string, string> = {},
): Promise<ApiResponse> {
  const { hash, pathname } = new URL(invitationUrl);
  const token = hash.replace('#token=', '');
  return h.call('POST', `${pathname.includes('/portal/') ? '/portal' : '/console'}/session/link`, {
    body: { token },
    headers: { origin: new URL(h.url).origin, ...headers },
  });
}

export function enter(h: Harness, response: ApiResponse): Person {
  equal(response.status, 200, JSON.stringify(response.body));
  const { csrfToken, operator, member = operator } = response.body.data;
  const cookie = toCookie(response);
  return {
    id: member.id,
    cookie,
    csrfToken,
    call: (method, path, { url = h.url, headers, ...options } = {}) =>
      h.callAt(url, method, path, {
        ...options,
        headers: {
          cookie,
          ...(method === 'GET' ? {} : { origin: new URL(url).origin, 'x-csrf-token': csrfToken }),
          ...headers,
        },
      }),
  };
}

export function toCookie({ headers }: ApiResponse): string {
  return (headers.get('set-cookie') ?? '').split(';', 1)[0] ?? '';
}

/** Moves the sign-in of all sessions of this person into the past. */
export async function ageSessions(
  h: Harness,
  { id }: { readonly id: string },
  minutes: number,
): Promise<void> {
  await sql`UPDATE person_token SET ends_at = ends_at - ${minutes}::integer * interval '1 minute'
    WHERE kind = 'session' AND person_id = ${id}`.execute(h.database.db);
}
