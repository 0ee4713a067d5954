import { ADDRESS_RANGE_RULE, type ClientAccess } from '@keyport/contract/accounts/clients';
import { must } from '@keyport/core/assert';
import type { ClientChange } from '@keyport/core/events';
import { parseAddressSet } from '@keyport/http/admission/addresses';
import { ApiError, conflict, invalidField, requireFound } from '@keyport/http/replies/api-error';
import type { Clients } from '../access/clients/clients.ts';
import { type Acting, audit, changesBetween } from '../audit/action.ts';
import { logChanges } from '../catalogue/catalogue-clock.sql.ts';
import type { Tx } from '../db/schema.ts';
import type { OperationRequest } from '../operations/operation.ts';
import { type AccountRecord, lockAccount } from './accounts.sql.ts';
import { type ClientRow, findClient } from './clients.sql.ts';
import { formatClient } from './read-clients.ts';

type Request<Name extends 'createClient' | 'createOperatorClient' | 'updateClient'> = OperationRequest<Name>;

type ClientRequest = Pick<OperationRequest<'enableClient'>, 'params' | 'principal' | 'traceId'>;

export async function createClient(tx: Tx, clients: Clients, request: Request<'createClient'>) {
  const account = await lockOpenAccount(tx, request.params.accountId);
  const name = request.body.name ?? null;
  const created = await clients.create(tx, { role: 'reseller', accountId: account.id }, name);
  const data = { clientId: created.clientId, name, secretId: clients.nameSecret(created) };
  const details = { accountId: account.id, data };
  await audit(tx, request, 'client.create', details);
  return created;
}

export async function createOperatorClient(
  tx: Tx,
  clients: Clients,
  request: Request<'createOperatorClient'>,
) {
  const { name, operatorRole } = request.body;
  const created = await clients.create(tx, { role: 'operator', accountId: null, operatorRole }, name);
  const secretId = clients.nameSecret(created);
  const data = { clientId: created.clientId, name, operatorRole, secretId };
  await audit(tx, request, 'client.create', { data });
  return created;
}

type AddressesRequest = { readonly body: { readonly allowedAddresses?: readonly string[] | null } };

/** Undefined if the body lacks the field. Throws validation-error. */
export function parseAllowedAddresses({ body }: AddressesRequest): readonly string[] | undefined {
  const addresses = 'allowedAddresses' in body ? (body.allowedAddresses ?? []) : undefined;
  const parsed = parseAddressSet(addresses ?? []);
  if (!parsed.ok) throw invalidField(`body.allowedAddresses[${parsed.index}]`, ADDRESS_RANGE_RULE);
  return addresses;
}

export async function updateClient(
  tx: Tx,
  clients: Clients,
  request: Request<'updateClient'>,
  allowedAddresses: readonly string[] | undefined,
) {
  const { clientId } = request.params;
  const { operatorRole, access } = request.body;
  const before = await loadClient(tx, clientId);
  if (operatorRole !== undefined && before.role !== 'operator')
    throw conflict("This is a reseller's client, which has no role. Only an operator's client has one.");
  if (access !== undefined && before.role !== 'reseller')
    throw conflict(
      "This is an operator's client, whose role limits it. Only a reseller's client has an access level.",
    );
  return changeSettings(tx, clients, request, before, { allowedAddresses, access, operatorRole });
}

export async function changeSettings(
  tx: Tx,
  clients: Clients,
  acting: Acting,
  before: ClientRow,
  { access, ...others }: NewSettings,
) {
  const settings = { ...others, isReadOnly: access && access === 'read-only' };
  await clients.change(tx, before.id, settings);
  const after = must(await findClient(tx, before.id), 'a locked client');
  const names = ['name', 'allowedAddresses', 'isReadOnly', 'operatorRole'] as const;
  const changes = changesBetween(before, after, names);
  const { accountId } = before;
  const data = { clientId: before.id, ...changes };
  await audit(tx, acting, 'client.update', { accountId, data });
  await logClientChanges(
    tx,
    before,
    names.flatMap((name) => (name in changes ? (CHANGES[name] ?? []) : [])),
  );
  return formatClient(after);
}

type NewSettings = Omit<Parameters<Clients['change']>[2], 'isReadOnly'> & {
  readonly access: ClientAccess | undefined;
};

const CHANGES: Partial<Record<keyof ClientRow, ClientChange>> = {
  name: 'name',
  allowedAddresses: 'addresses',
  isReadOnly: 'access',
};

/** Clients of operators have no events. */
export async function logClientChanges(
  tx: Tx,
  { id: clientId, accountId }: Pick<ClientRow, 'id' | 'accountId'>,
  changes: readonly ClientChange[],
): Promise<void> {
  if (accountId === null) return;
  const events = changes.map(
    (change) => ({ type: 'client.changed', accountId, data: { clientId, change } }) as const,
  );
  await logChanges(tx, { events });
}

export async function addClientSecret(tx: Tx, clients: Clients, request: ClientRequest) {
  const { clientId } = request.params;
  const { accountId } = await loadClient(tx, clientId);
  if (accountId !== null) await lockOpenAccount(tx, accountId);
  const added = await clients.addSecret(tx, clientId);
  if (added === undefined) throw clientNotFound();
  const data = { clientId, secretId: clients.nameSecret(added) };
  await audit(tx, request, 'client.secret', { accountId, data });
  await logClientChanges(tx, { id: clientId, accountId }, ['secret']);
  return added;
}

export async function disableClient(tx: Tx, clients: Clients, request: ClientRequest): Promise<void> {
  const { clientId } = request.params;
  const { accountId } = await loadClient(tx, clientId);
  await clients.disable(tx, clientId);
  await audit(tx, request, 'client.disable', { accountId, data: { clientId } });
}

export async function enableClient(tx: Tx, clients: Clients, request: ClientRequest) {
  const { clientId } = request.params;
  const { accountId } = await loadClient(tx, clientId);
  if (accountId !== null) await lockOpenAccount(tx, accountId);
  await clients.enable(tx, clientId);
  await audit(tx, request, 'client.enable', { accountId, data: { clientId } });
  return formatClient(await loadClient(tx, clientId));
}

/** Throws not-found and conflict. */
export async function lockOpenAccount(tx: Tx, accountId: string): Promise<AccountRecord> {
  const account = requireFound(await lockAccount(tx, accountId), 'account');
  if (account.status !== 'closed') return account;
  throw conflict(
    'The account is closed, so its clients and members can do nothing. Create a new account instead.',
  );
}

async function loadClient(tx: Tx, clientId: string): Promise<ClientRow> {
  const client = await findClient(tx, clientId);
  if (client === undefined) throw clientNotFound();
  return client;
}

export function clientNotFound(): ApiError {
  return new ApiError('not-found', { message: 'There is no client with this id, or it is disabled.' });
}
