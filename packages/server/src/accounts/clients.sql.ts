/** OAuth clients as an operator sees them. What changes them is in auth/, which is passed in. */
import { type Kysely, sql } from 'kysely';
import { offsetOf, type Paging } from '../audit/action.ts';
import type { Schema } from '../db/schema.ts';

/** One page of the clients of an account, oldest first. Index: client_account_ix. */
export function listClients(db: Kysely<Schema>, accountId: string, paging: Paging) {
  return selectClients(db)
    .where('account_id', '=', accountId)
    .orderBy('created_at')
    .orderBy('id')
    .limit(paging.itemsPerPage)
    .offset(offsetOf(paging))
    .execute();
}

export function findClient(db: Kysely<Schema>, clientId: string) {
  return selectClients(db).where('id', '=', clientId).executeTakeFirst();
}

function selectClients(db: Kysely<Schema>) {
  return db.selectFrom('client').select((client) => [
    'id',
    'account_id as accountId',
    'role',
    'name',
    'allowed_addresses as allowedAddresses',
    sql<number | null>`(extract(epoch FROM disabled_at) * 1000000)::bigint`.as('disabledAtMicros'),
    sql<number>`(extract(epoch FROM created_at) * 1000000)::bigint`.as('createdAtMicros'),
    client
      .selectFrom('client_secret')
      .select(({ fn }) => fn.countAll<number>().as('count'))
      .whereRef('client_secret.client_id', '=', 'client.id')
      .where('retired_at', 'is', null)
      .as('liveSecretCount'),
  ]);
}

export async function countClients(db: Kysely<Schema>, accountId: string): Promise<number> {
  const row = await db
    .selectFrom('client')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('account_id', '=', accountId)
    .executeTakeFirstOrThrow();
  return row.count;
}

/** Whose client it is, null for an operator's; undefined when there is no such client. */
export async function findClientAccount(
  db: Kysely<Schema>,
  clientId: string,
): Promise<{ accountId: string | null } | undefined> {
  return db
    .selectFrom('client')
    .select('account_id as accountId')
    .where('id', '=', clientId)
    .executeTakeFirst();
}
