/** OAuth clients of resellers and operators. */
import type { Clients } from '../access/clients/clients.ts';
import type { Database } from '../db/engines/database.ts';
import type { OperationHandlers } from '../operations/operation.ts';
import {
  addClientSecret,
  createClient,
  createOperatorClient,
  disableClient,
  enableClient,
  parseAllowedAddresses,
  updateClient,
} from './change-client.ts';
import { readClients, readClientsOfAccount } from './read-clients.ts';

export function buildClientHandlers({
  database,
  clients,
  onClientChanged,
}: {
  readonly database: Database;
  readonly clients: Clients;
  /** Called after commit, so that this node immediately rejects or accepts the client's tokens. */
  readonly onClientChanged: (clientId: string) => void;
}): Pick<
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
  const changed = ({ params }: { readonly params: { readonly clientId: string } }) => ({
    onCommitted: () => onClientChanged(params.clientId),
  });
  return {
    listClients: (request) => readClientsOfAccount(database, request),
    listAllClients: (request) => readClients(database, request),
    createClient: (request) => async (tx) => ({
      status: 201,
      data: await createClient(tx, clients, request),
    }),
    createOperatorClient: (request) => async (tx) => ({
      status: 201,
      data: await createOperatorClient(tx, clients, request),
    }),
    updateClient(request) {
      const addresses = parseAllowedAddresses(request);
      return async (tx) => {
        const data = await updateClient(tx, clients, request, addresses);
        return { status: 200, data, ...changed(request) };
      };
    },
    createClientSecret: (request) => async (tx) => ({
      status: 201,
      data: await addClientSecret(tx, clients, request),
    }),
    disableClient: (request) => async (tx) => {
      await disableClient(tx, clients, request);
      return { status: 204, ...changed(request) };
    },
    enableClient: (request) => async (tx) => ({
      status: 200,
      data: await enableClient(tx, clients, request),
      ...changed(request),
    }),
  };
}
