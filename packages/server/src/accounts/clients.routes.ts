import type { Clients } from '../access/clients/clients.ts';
import type { Database } from '../db/engines/database.ts';
import { type OperationHandlers, replyEmpty, replyOk, replyWith } from '../operations/operation.ts';
import {
  addClientSecret,
  createClient,
  createOperatorClient,
  disableClient,
  enableClient,
  parseAllowedAddresses,
  updateClient,
} from './change-client.ts';
import { readOwnClients, rotateOwnSecret, updateOwnClient } from './own-clients.ts';
import { readClients, readClientsOfAccount } from './read-clients.ts';

/** `onClientChanged` is called after the commit and before the response. */
export function buildClientHandlers(
  database: Database,
  clients: Clients,
  onClientChanged: (clientId: string) => Promise<void>,
) {
  const changed =
    ({ params }: { readonly params: { readonly clientId: string } }) =>
    () =>
      onClientChanged(params.clientId);
  return {
    listClients: (request) => readClientsOfAccount(database, request),
    listAllClients: (request) => readClients(database, request),
    createClient: (request) => replyWith(201, (tx) => createClient(tx, clients, request)),
    createOperatorClient: (request) => replyWith(201, (tx) => createOperatorClient(tx, clients, request)),
    updateClient(request) {
      const addresses = parseAllowedAddresses(request);
      return replyWith(200, (tx) => updateClient(tx, clients, request, addresses), changed(request));
    },
    createClientSecret: (request) =>
      replyWith(201, (tx) => addClientSecret(tx, clients, request), changed(request)),
    disableClient: (request) => replyEmpty((tx) => disableClient(tx, clients, request), changed(request)),
    enableClient: (request) => replyWith(200, (tx) => enableClient(tx, clients, request), changed(request)),
    listOwnClients: ({ principal }) => replyOk(readOwnClients(database.db, principal.accountId)),
    rotateOwnClientSecret: (request) =>
      replyWith(200, (tx) => rotateOwnSecret(tx, clients, request), changed(request)),
    updateOwnClient(request) {
      const addresses = parseAllowedAddresses(request);
      return replyWith(200, (tx) => updateOwnClient(tx, clients, request, addresses), changed(request));
    },
  } satisfies Partial<OperationHandlers>;
}
