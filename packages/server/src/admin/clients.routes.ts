/**
 * Creates, lists and disables OAuth clients of resellers and gives them further secrets (A26). A secret is in the
 * answer once and nowhere else: never in the audit log. Decisions section 9.
 */
import type { Client } from '@keyport/contract/admin';
import { buildMeta } from '@keyport/contract/envelope';
import { formatDateTime } from '@keyport/core/date-time';
import type { Static } from 'typebox';
import type { Clients } from '../auth/clients.ts';
import { insertAudit } from '../db/audit.sql.ts';
import type { Database } from '../db/database.ts';
import { runTransaction } from '../db/transaction.ts';
import { ApiError } from '../http/api-error.ts';
import type { OperationHandlers } from '../http/operation.ts';
import { accountNotFound } from './accounts.routes.ts';
import { findAccount } from './accounts.sql.ts';
import { auditRecord, pagingOf } from './action.ts';
import { countClients, findClientAccount, listClients } from './clients.sql.ts';

export type ClientDeps = {
  readonly database: Database;
  readonly clients: Pick<Clients, 'create' | 'addSecret' | 'disable'>;
  /** Called after commit, so that this node refuses the client's tokens at once (A24). */
  readonly onClientChanged: (clientId: string) => void;
};

export function buildClientHandlers({
  database,
  clients,
  onClientChanged,
}: ClientDeps): Pick<
  OperationHandlers,
  'createClient' | 'listClients' | 'createClientSecret' | 'disableClient'
> {
  return {
    async createClient(request) {
      const credentials = await runTransaction(database, {}, async (tx) => {
        const account = await findAccount(tx, request.params.accountId);
        if (account === undefined) throw accountNotFound();
        const name = request.body.name ?? null;
        const created = await clients.create(tx, { role: 'reseller', accountId: account.id }, name);
        const details = { accountId: account.id, data: { clientId: created.clientId, name } };
        await insertAudit(tx, auditRecord(request, 'client.create', details));
        return created;
      });
      return { status: 201, data: credentials };
    },

    async listClients({ params, query }) {
      const paging = pagingOf(query);
      const account = await findAccount(database.kysely, params.accountId);
      if (account === undefined) throw accountNotFound();
      const rows = await listClients(database.kysely, account.id, paging);
      const totalResults = await countClients(database.kysely, account.id);
      return { status: 200, data: rows.map(formatClient), meta: buildMeta({ ...paging, totalResults }) };
    },

    async createClientSecret(request) {
      const { clientId } = request.params;
      const credentials = await runTransaction(database, {}, async (tx) => {
        const client = await findClientAccount(tx, clientId);
        const added = await clients.addSecret(tx, clientId);
        if (client === undefined || added === undefined) throw clientNotFound();
        await insertAudit(tx, auditRecord(request, 'client.secret', { ...client, data: { clientId } }));
        return added;
      });
      return { status: 201, data: credentials };
    },

    async disableClient(request) {
      const { clientId } = request.params;
      await runTransaction(database, {}, async (tx) => {
        const client = await findClientAccount(tx, clientId);
        if (client === undefined || !(await clients.disable(tx, clientId))) throw clientNotFound();
        await insertAudit(tx, auditRecord(request, 'client.disable', { ...client, data: { clientId } }));
      });
      onClientChanged(clientId);
      return { status: 204 };
    },
  };
}

function clientNotFound(): ApiError {
  return new ApiError('not-found', { message: 'There is no client with this id, or it is disabled.' });
}

type ClientRow = Awaited<ReturnType<typeof listClients>>[number];

function formatClient(row: ClientRow): Static<typeof Client> {
  return {
    clientId: row.id,
    accountId: row.accountId,
    name: row.name,
    role: row.role,
    liveSecrets: row.liveSecretCount ?? 0,
    disabledAt: row.disabledAtMicros === null ? null : formatDateTime(row.disabledAtMicros),
    createdAt: formatDateTime(row.createdAtMicros),
  };
}
