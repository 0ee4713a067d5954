import type { MasterKeys } from '../../custody/master-keys.ts';
import type { Database } from '../../db/engines/database.ts';
import { done, type OperationHandlers, shown, written } from '../../operations/operation.ts';
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

/** `onCommitted`: wakes this node; others notice within seconds. */
export function buildEndpointHandlers(
  database: Database,
  masterKeys: MasterKeys,
  targetRules: TargetRules,
  onCommitted: () => void,
) {
  const { db } = database;
  return {
    listAllWebhookEndpoints: (request) => readEndpoints(database, request),
    listWebhookEndpoints: ({ principal }) => shown(readEndpointsOf(db, principal.accountId)),
    listAccountWebhookEndpoints: ({ params }) => shown(readEndpointsOf(db, params.accountId)),
    getWebhookEndpoint: ({ principal, params }) =>
      shown(readEndpoint(db, principal.accountId, params.endpointId)),
    getAccountWebhookEndpoint: ({ params }) => shown(readEndpoint(db, params.accountId, params.endpointId)),
    createWebhookEndpoint(request) {
      checkUrl(request.body.url, targetRules);
      return written(201, (tx) => createEndpoint(tx, masterKeys, request), onCommitted);
    },
    updateWebhookEndpoint(request) {
      if (request.body.url !== undefined) checkUrl(request.body.url, targetRules);
      return written(
        200,
        (tx) => changeEndpoint(tx, request, ownEndpoint(request), DISABLED_BY_RESELLER),
        onCommitted,
      );
    },
    updateAccountWebhookEndpoint: (request) =>
      written(200, (tx) => changeEndpoint(tx, request, request.params, DISABLED_BY_OPERATOR), onCommitted),
    deleteWebhookEndpoint: (request) =>
      done((tx) => removeEndpoint(tx, request, ownEndpoint(request)), onCommitted),
    rotateWebhookSecret: (request) =>
      written(200, (tx) => rotateSecret(tx, masterKeys, request, ownEndpoint(request)), onCommitted),
  } satisfies Partial<OperationHandlers>;
}

export type OwnRequest = {
  readonly params: { readonly endpointId: string };
  readonly principal: { readonly accountId: string };
};

export function ownEndpoint(request: OwnRequest): EndpointName {
  return { accountId: request.principal.accountId, endpointId: request.params.endpointId };
}
