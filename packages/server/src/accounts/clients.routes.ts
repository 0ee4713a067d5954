import type { Clients } from '../access/clients/clients.ts';
import type { Database } from '../db/engines/database.ts';
import { type OperationHandlers, written } from '../operations/operation.ts';
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

export function buildClientHandlers({
  database,
  clients,
  onClientChanged,
}: {
  readonly database: Database;
  readonly clients: Clients;
  /** After commit, before the response. */
  readonly onClientChanged: (clientId: string) => Promise<void>;
}) {
  const changed = ({ params }: { readonly params: { readonly clientId: string } }) => ({
    onCommitted: () => onClientChanged(params.clientId),
  });
  return {
    listClients: (request) => readClientsOfAccount(database, request),
    listAllClients: (request) => readClients(database, request),
    createClient: (request) => written(201, (tx) => createClient(tx, clients, request)),
    createOperatorClient: (request) => written(201, (tx) => createOperatorClient(tx, clients, request)),
    updateClient(request) {
      const addresses = parseAllowedAddresses(request);
      return async (tx) => {
        const data = await updateClient(tx, clients, request, addresses);
        return { status: 200, data, ...changed(request) };
      };
    },
    createClientSecret: (request) => written(201, (tx) => addClientSecret(tx, clients, request)),
    disableClient: (request) => async (tx) => {
      await disableClient(tx, clients, request);
      return { status: 204, ...changed(request) };
    },
    enableClient: (request) => async (tx) => ({
      status: 200,
      data: await enableClient(tx, clients, request),
      ...changed(request),
    }),
    listOwnClients: async ({ principal }) => ({
      status: 200,
      data: await readOwnClients(database.kysely, principal.accountId),
    }),
    rotateOwnClientSecret: (request) => written(200, (tx) => rotateOwnSecret(tx, clients, request)),
    updateOwnClient(request) {
      const addresses = parseAllowedAddresses(request);
      return async (tx) => {
        const data = await updateOwnClient(tx, clients, request, addresses);
        return { status: 200, data, ...changed(request) };
      };
    },
  } satisfies Partial<OperationHandlers>;
}
