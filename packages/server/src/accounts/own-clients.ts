/** A client cannot lock itself or its account out. A member changes every client of the account. A704. */
import type { OwnClient } from '@keyport/contract/accounts/clients';
import { toOverlapHours } from '@keyport/contract/rotation';
import { formatDateTime } from '@keyport/core/date-time';
import { toAddressSet } from '@keyport/http/admission/addresses';
import { ApiError, conflict } from '@keyport/http/replies/api-error';
import type { Static } from 'typebox';
import type { Clients } from '../access/clients/clients.ts';
import { audit } from '../audit/action.ts';
import type { Db, Tx } from '../db/schema.ts';
import type { OperationRequest } from '../operations/operation.ts';
import { changeSettings, clientNotFound, logClientChanges } from './change-client.ts';
import { type ClientRow, listOwnClients, lockOwnClients } from './clients.sql.ts';
import { formatClient } from './read-clients.ts';

export async function readOwnClients(db: Db, accountId: string): Promise<Static<typeof OwnClient>[]> {
  return (await listOwnClients(db, accountId)).map((row) => formatOwnClient(formatClient(row)));
}

/** Throws not-found and forbidden. */
export async function rotateOwnSecret(
  tx: Tx,
  clients: Clients,
  request: OperationRequest<'rotateOwnClientSecret'>,
) {
  const { client } = await lockOwn(tx, request);
  const { id, accountId } = client;
  const overlapHours = toOverlapHours(request.body);
  const rotated = await clients.rotateSecret(tx, id, overlapHours);
  if (rotated === undefined) throw clientNotFound();
  const details = { accountId, data: { clientId: id, overlapHours, secretId: clients.nameSecret(rotated) } };
  await audit(tx, request, 'client.rotate-secret', details);
  await logClientChanges(tx, client, ['secret']);
  const { validUntilMicros, ...credentials } = rotated;
  return { ...credentials, previousValidUntil: formatDateTime(validUntilMicros) };
}

/** Throws not-found, forbidden and conflict. */
export async function updateOwnClient(
  tx: Tx,
  clients: Clients,
  request: OperationRequest<'updateOwnClient'>,
  allowedAddresses: readonly string[] | undefined,
) {
  const { all, client } = await lockOwn(tx, request);
  const { name, access } = request.body;
  if (request.principal.memberRole === undefined) {
    // The node that authenticated the client may not know yet that the client became read-only.
    if (client.isReadOnly) throw forbidden('This client is read-only, so it cannot change itself.');
    requireOwnAddress(request.principal.address, allowedAddresses);
  }
  const othersAreFull = all.some((one) => one !== client && isFull(one));
  if (access === 'read-only' && isFull(client) && !othersAreFull)
    throw conflict(
      'This is the last enabled client of the account with full access. Give another client full access first.',
    );
  const changed = await changeSettings(tx, clients, request, client, { name, allowedAddresses, access });
  return formatOwnClient(changed);
}

/** A client changes only itself: the thief of one client's token must not get at the others. */
async function lockOwn(
  tx: Tx,
  { principal, params }: Pick<OperationRequest<'updateOwnClient'>, 'principal' | 'params'>,
) {
  const all = await lockOwnClients(tx, principal.accountId);
  const client = all.find(({ id }) => id === params.clientId);
  if (client === undefined) throw clientNotFound();
  if (principal.memberRole === undefined && client.id !== principal.clientId)
    throw forbidden('A client changes only itself. Use the token of the client that you want to change.');
  return { all, client };
}

function requireOwnAddress(address = '', allowedAddresses: readonly string[] = []): void {
  if (toAddressSet(allowedAddresses)?.includes(address) ?? true) return;
  throw forbidden(
    `body.allowedAddresses must include ${address}, the address of this request: otherwise this client would lock itself out. Nothing was changed.`,
  );
}

function isFull({ isReadOnly, disabledAtMicros }: ClientRow): boolean {
  return !isReadOnly && disabledAtMicros === null;
}

function forbidden(message: string): ApiError {
  return new ApiError('forbidden', { message });
}

function formatOwnClient(client: ReturnType<typeof formatClient>): Static<typeof OwnClient> {
  const { accountId: _account, role: _role, operatorRole: _operatorRole, access, ...own } = client;
  return { ...own, access: access ?? 'full' };
}
