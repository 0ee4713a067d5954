import type { MasterKeys } from '../../custody/master-keys.ts';
import type { Database } from '../../db/engines/database.ts';
import { type OperationHandlers, replyEmpty, replyOk, replyWith } from '../../operations/operation.ts';
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
    listWebhookEndpoints: ({ principal }) => replyOk(readEndpointsOf(db, principal.accountId)),
    listAccountWebhookEndpoints: ({ params }) => replyOk(readEndpointsOf(db, params.accountId)),
    getWebhookEndpoint: ({ principal, params }) =>
      replyOk(readEndpoint(db, principal.accountId, params.endpointId)),
    getAccountWebhookEndpoint: ({ params }) => replyOk(readEndpoint(db, params.accountId, params.endpointId)),
    createWebhookEndpoint(request) {
      checkUrl(request.body.url, targetRules);
      return replyWith(201, (tx) => createEndpoint(tx, masterKeys, request), onCommitted);
    },
    updateWebhookEndpoint(request) {
      if (request.body.url !== undefined) checkUrl(request.body.url, targetRules);
      return replyWith(
        200,
        (tx) => changeEndpoint(tx, request, ownEndpoint(request), DISABLED_BY_RESELLER),
        onCommitted,
      );
    },
    updateAccountWebhookEndpoint: (request) =>
      replyWith(200, (tx) => changeEndpoint(tx, request, request.params, DISABLED_BY_OPERATOR), onCommitted),
    deleteWebhookEndpoint: (request) =>
      replyEmpty((tx) => removeEndpoint(tx, request, ownEndpoint(request)), onCommitted),
    rotateWebhookSecret: (request) =>
      replyWith(200, (tx) => rotateSecret(tx, masterKeys, request, ownEndpoint(request)), onCommitted),
  } satisfies Partial<OperationHandlers>;
}

export type OwnRequest = {
  readonly params: { readonly endpointId: string };
  readonly principal: { readonly accountId: string };
};

export function ownEndpoint(request: OwnRequest): EndpointName {
  return { accountId: request.principal.accountId, endpointId: request.params.endpointId };
}
