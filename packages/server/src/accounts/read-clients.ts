import type { Client } from '@keyport/contract/accounts/clients';
import { formatDateTime } from '@keyport/core/date-time';
import { requireFound } from '@keyport/http/replies/api-error';
import type { Static } from 'typebox';
import type { Database } from '../db/engines/database.ts';
import { listResponse, pageResponse } from '../operations/list-page.ts';
import type { OperationRequest } from '../operations/operation.ts';
import { findAccount } from './accounts.sql.ts';
import * as sql from './clients.sql.ts';

/** Throws not-found. */
export async function readClientsOfAccount(
  { db }: Database,
  { params, query }: OperationRequest<'listClients'>,
) {
  const { id } = requireFound(await findAccount(db, params.accountId), 'account');
  return pageResponse(query, {
    load: (paging) => sql.listClients(db, id, paging),
    count: () => sql.countClients(db, id),
    format: formatClient,
  });
}

export function readClients(database: Database, { query }: OperationRequest<'listAllClients'>) {
  return listResponse(database, {
    name: 'clients',
    query,
    list: sql.clientsList(query, query.sort === '-createdAt'),
    load: sql.loadClients,
    toId: ({ id }: sql.ListedClientRow) => id,
    format: ({ accountName, ...row }) => ({ ...formatClient(row), accountName }),
  });
}

export function formatClient(row: sql.ClientRow): Static<typeof Client> {
  return {
    clientId: row.id,
    accountId: row.accountId,
    name: row.name,
    role: row.role,
    operatorRole: row.operatorRole,
    access: row.role === 'operator' ? null : row.isReadOnly ? 'read-only' : 'full',
    liveSecrets: row.liveSecretCount ?? 0,
    allowedAddresses: [...row.allowedAddresses],
    disabledAt: row.disabledAtMicros === null ? null : formatDateTime(row.disabledAtMicros),
    createdAt: formatDateTime(row.createdAtMicros),
  };
}
