import type { MasterKeys } from '../../custody/master-keys.ts';
import type { Database } from '../../db/engines/database.ts';
import type { OperationHandlers } from '../../operations/operation.ts';
import {
  changeEndpoint,
  checkUrl,
  createEndpoint,
  DISABLED_BY_OPERATOR,
  DISABLED_BY_RESELLER,
  type EndpointName,
  removeEndpoint,
  rotateSecret,
} from './change-endpoint.ts';
import { readEndpoint, readEndpoints, readEndpointsOf } from './read-endpoints.ts';
import type { TargetRules } from './targets.ts';

export function buildEndpointHandlers({
  database,
  masterKeys,
  targetRules,
  onCommitted,
}: {
  readonly database: Database;
  readonly masterKeys: MasterKeys;
  readonly targetRules: TargetRules;
  /** The other nodes take the change over within seconds. */
  readonly onCommitted: () => void;
}) {
  const { kysely } = database;
  return {
    listAllWebhookEndpoints: (request) => readEndpoints(database, request),
    listWebhookEndpoints: async ({ principal }) => ({
      status: 200,
      data: await readEndpointsOf(kysely, principal.accountId),
    }),
    listAccountWebhookEndpoints: async ({ params }) => ({
      status: 200,
      data: await readEndpointsOf(kysely, params.accountId),
    }),
    getWebhookEndpoint: async (request) => {
      const { accountId, endpointId } = ownEndpoint(request);
      return { status: 200, data: await readEndpoint(kysely, accountId, endpointId) };
    },
    getAccountWebhookEndpoint: async ({ params }) => ({
      status: 200,
      data: await readEndpoint(kysely, params.accountId, params.endpointId),
    }),
    createWebhookEndpoint(request) {
      checkUrl(request.body.url, targetRules);
      return async (tx) => ({
        status: 201,
        data: await createEndpoint(tx, masterKeys, request),
        onCommitted,
      });
    },
    updateWebhookEndpoint(request) {
      if (request.body.url !== undefined) checkUrl(request.body.url, targetRules);
      return async (tx) => {
        const data = await changeEndpoint(tx, request, ownEndpoint(request), DISABLED_BY_RESELLER);
        return { status: 200, data, onCommitted };
      };
    },
    updateAccountWebhookEndpoint: (request) => async (tx) => {
      const data = await changeEndpoint(tx, request, request.params, DISABLED_BY_OPERATOR);
      return { status: 200, data, onCommitted };
    },
    deleteWebhookEndpoint: (request) => async (tx) => {
      await removeEndpoint(tx, request, ownEndpoint(request));
      return { status: 204, onCommitted };
    },
    rotateWebhookSecret: (request) => async (tx) => {
      const data = await rotateSecret(tx, masterKeys, request, ownEndpoint(request));
      return { status: 200, data, onCommitted };
    },
  } satisfies Partial<OperationHandlers>;
}

export type OwnRequest = {
  readonly params: { readonly endpointId: string };
  readonly principal: { readonly accountId: string };
};

export function ownEndpoint(request: OwnRequest): EndpointName {
  return { accountId: request.principal.accountId, endpointId: request.params.endpointId };
}
