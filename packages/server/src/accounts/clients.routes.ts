/**
 * Creates, lists, limits, disables and enables OAuth clients of resellers and gives them further secrets (A26, A188). A secret is in
 * the response once and nowhere else: never in the audit log. R23, A89.
 */
import { ADDRESS_RANGE_RULE, type Client } from '@keyport/contract/accounts/clients';
import { buildMeta } from '@keyport/contract/envelope';
import { formatDateTime } from '@keyport/core/date-time';
import { parseAddressSet } from '@keyport/http/admission/addresses';
import { ApiError, invalidField, requireFound } from '@keyport/http/replies/api-error';
import { pagingOf } from '@keyport/http/validation/paging';
import type { Static } from 'typebox';
import type { Clients } from '../access/clients/clients.ts';
import { auditRecord } from '../audit/action.ts';
import { insertAudit } from '../audit/append-audit.sql.ts';
import type { Database } from '../db/engines/database.ts';
import type { Tx } from '../db/schema.ts';
import { readListPage } from '../operations/list-page.ts';
import type { OperationHandlers } from '../operations/operation.ts';
import { type AccountRecord, findAccount, lockAccount } from './accounts.sql.ts';
import {
  type ClientRow,
  clientsList,
  countClients,
  findClient,
  type ListedClientRow,
  listClients,
  loadClients,
} from './clients.sql.ts';

export type ClientDeps = {
  readonly database: Database;
  readonly clients: Pick<
    Clients,
    'create' | 'addSecret' | 'disable' | 'enable' | 'setAllowedAddresses' | 'setRole'
  >;
  /** Called after commit, so that this node rejects or takes the client's tokens at once (A24). */
  readonly onClientChanged: (clientId: string) => void;
};

export function buildClientHandlers({
  database,
  clients,
  onClientChanged,
}: ClientDeps): Pick<
  OperationHandlers,
  | 'createClient'
  | 'createOperatorClient'
  | 'listClients'
  | 'listAllClients'
  | 'updateClient'
  | 'createClientSecret'
  | 'disableClient'
  | 'enableClient'
> {
  return {
    createClient: (request) => async (tx) => {
      const account = await lockOpenAccount(tx, request.params.accountId);
      const name = request.body.name ?? null;
      const created = await clients.create(tx, { role: 'reseller', accountId: account.id }, name);
      const details = { accountId: account.id, data: { clientId: created.clientId, name } };
      await insertAudit(tx, auditRecord(request, 'client.create', details));
      return { status: 201, data: created };
    },

    createOperatorClient: (request) => async (tx) => {
      const { name, operatorRole } = request.body;
      const created = await clients.create(tx, { role: 'operator', accountId: null, operatorRole }, name);
      const data = { clientId: created.clientId, name, operatorRole };
      await insertAudit(tx, auditRecord(request, 'client.create', { data }));
      return { status: 201, data: created };
    },

    async listClients({ params, query }) {
      const paging = pagingOf(query);
      const account = requireFound(await findAccount(database.kysely, params.accountId), 'account');
      const rows = await listClients(database.kysely, account.id, paging);
      const totalResults = await countClients(database.kysely, account.id);
      return { status: 200, data: rows.map(formatClient), meta: buildMeta({ ...paging, totalResults }) };
    },

    async listAllClients({ query }) {
      const list = clientsList(query, query.sort === '-createdAt');
      const idOf = ({ id }: ListedClientRow) => id;
      const { rows, meta } = await readListPage(database, {
        name: 'clients',
        query,
        list,
        load: loadClients,
        idOf,
      });
      const data = rows.map(({ accountName, ...row }) => ({ ...formatClient(row), accountName }));
      return { status: 200, data, meta };
    },

    updateClient(request) {
      const { clientId } = request.params;
      const { operatorRole } = request.body;
      const given = 'allowedAddresses' in request.body ? (request.body.allowedAddresses ?? []) : undefined;
      const parsed = parseAddressSet(given ?? []);
      if (!parsed.ok) throw invalidField(`body.allowedAddresses[${parsed.index}]`, ADDRESS_RANGE_RULE);
      return async (tx) => {
        const before = await loadClient(tx, clientId);
        const after = {
          ...before,
          allowedAddresses: [...(given ?? before.allowedAddresses)],
          operatorRole: operatorRole ?? before.operatorRole,
        };
        if (given !== undefined) await clients.setAllowedAddresses(tx, clientId, given);
        if (operatorRole !== undefined) {
          if (before.role !== 'operator') throw resellersClient();
          await clients.setRole(tx, clientId, operatorRole);
        }
        const changes = {
          ...(given && { allowedAddresses: { from: before.allowedAddresses, to: given } }),
          ...(operatorRole && { operatorRole: { from: before.operatorRole, to: operatorRole } }),
        };
        const details = { accountId: before.accountId, data: { clientId, ...changes } };
        await insertAudit(tx, auditRecord(request, 'client.update', details));
        const data = formatClient(after);
        return { status: 200, data, onCommitted: () => onClientChanged(clientId) };
      };
    },

    createClientSecret: (request) => async (tx) => {
      const { clientId } = request.params;
      const { accountId } = await loadClient(tx, clientId);
      if (accountId !== null) await lockOpenAccount(tx, accountId);
      const added = await clients.addSecret(tx, clientId);
      if (added === undefined) throw clientNotFound();
      await insertAudit(tx, auditRecord(request, 'client.secret', { accountId, data: { clientId } }));
      return { status: 201, data: added };
    },

    disableClient: (request) => async (tx) => {
      const { clientId } = request.params;
      const { accountId } = await loadClient(tx, clientId);
      if (!(await clients.disable(tx, clientId))) throw clientNotFound();
      await insertAudit(tx, auditRecord(request, 'client.disable', { accountId, data: { clientId } }));
      return { status: 204, onCommitted: () => onClientChanged(clientId) };
    },

    enableClient: (request) => async (tx) => {
      const { clientId } = request.params;
      const { accountId } = await loadClient(tx, clientId);
      if (accountId !== null) await lockOpenAccount(tx, accountId);
      await clients.enable(tx, clientId);
      await insertAudit(tx, auditRecord(request, 'client.enable', { accountId, data: { clientId } }));
      const enabled = await loadClient(tx, clientId);
      return { status: 200, data: formatClient(enabled), onCommitted: () => onClientChanged(clientId) };
    },
  };
}

/** The account, locked, so that it cannot be closed concurrently. Throws not-found, and conflict for a closed one. */
async function lockOpenAccount(tx: Tx, accountId: string): Promise<AccountRecord> {
  const account = requireFound(await lockAccount(tx, accountId), 'account');
  if (account.status === 'closed') {
    throw new ApiError('conflict', {
      message: 'The account is closed, so its clients can do nothing any more. Create a new account instead.',
    });
  }
  return account;
}

async function loadClient(tx: Tx, clientId: string): Promise<ClientRow> {
  const client = await findClient(tx, clientId);
  if (client === undefined) throw clientNotFound();
  return client;
}

function resellersClient(): ApiError {
  return new ApiError('conflict', {
    message: "This is a reseller's client, which has no role. Only an operator's client has one.",
  });
}

function clientNotFound(): ApiError {
  return new ApiError('not-found', { message: 'There is no client with this id, or it is disabled.' });
}

function formatClient(row: ClientRow): Static<typeof Client> {
  return {
    clientId: row.id,
    accountId: row.accountId,
    name: row.name,
    role: row.role,
    operatorRole: row.operatorRole,
    liveSecrets: row.liveSecretCount ?? 0,
    allowedAddresses: [...row.allowedAddresses],
    disabledAt: row.disabledAtMicros === null ? null : formatDateTime(row.disabledAtMicros),
    createdAt: formatDateTime(row.createdAtMicros),
  };
}
