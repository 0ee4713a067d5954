/** A secret appears only in the response to the request that creates it, never in the audit log. */
import { randomBytes, randomUUID } from 'node:crypto';
import { toOverlapHours } from '@keyport/contract/rotation';
import { ALL_TYPES, WEBHOOK_ENDPOINTS_MAX } from '@keyport/contract/webhooks/webhooks';
import { formatDateTime } from '@keyport/core/date-time';
import { ApiError, conflict, invalidField, requireFound } from '@keyport/http/replies/api-error';
import { type Acting, audit, changesBetween } from '../../audit/action.ts';
import { NAME_OF } from '../../custody/envelope.ts';
import type { MasterKeys } from '../../custody/master-keys.ts';
import type { Tx } from '../../db/schema.ts';
import type { OperationRequest } from '../../operations/operation.ts';
import { SECRET_SIZE_BYTES, writeSecret } from '../signature.ts';
import * as sql from './endpoints.sql.ts';
import { formatEndpoint } from './read-endpoints.ts';
import { normalizeUrl, rejectTarget, type TargetRules } from './targets.ts';

/** Begins the stored reason of an endpoint that the service did not disable itself. Must not change. */
export const DISABLED_BY = 'Disabled by ';
export const DISABLED_BY_OPERATOR = `${DISABLED_BY}the marketplace.`;
export const DISABLED_BY_RESELLER = `${DISABLED_BY}a request to the API.`;

export type EndpointName = { readonly accountId: string; readonly endpointId: string };

export async function createEndpoint(
  tx: Tx,
  masterKeys: MasterKeys,
  request: OperationRequest<'createWebhookEndpoint'>,
) {
  const { url, types, description = null } = request.body;
  const { accountId } = request.principal;
  const secret = await createSecret(tx, masterKeys);
  await sql.lockEndpointsOf(tx, accountId);
  if ((await sql.listEndpoints(tx, accountId)).length >= WEBHOOK_ENDPOINTS_MAX) {
    throw conflict(
      `The account has ${WEBHOOK_ENDPOINTS_MAX} webhook endpoints, the maximum. Delete one first.`,
    );
  }
  await requireNotStopped(tx, { accountId, url });
  const id = `whe_${randomUUID().replaceAll('-', '')}`;
  const settings = { url, types: normalizeTypes(types), description, disabledReason: null };
  const endpoint = await sql.insertEndpoint(tx, { id, accountId, ...settings });
  await sql.insertSecret(tx, endpoint.number, secret.stored);
  const details = { accountId, data: { endpointId: id, url, types: settings.types } };
  await audit(tx, request, 'webhook.create', details);
  return { ...formatEndpoint(endpoint), secret: secret.text };
}

/** `disabledReason`: used if the body disables the endpoint. Throws not-found and forbidden. */
export async function changeEndpoint(
  tx: Tx,
  acting: Acting & { readonly body: EndpointBody },
  name: EndpointName,
  disabledReason: string,
) {
  const { body } = acting;
  const isReseller = disabledReason === DISABLED_BY_RESELLER;
  if (isReseller) await sql.lockEndpointsOf(tx, name.accountId);
  const before = await lockNamed(tx, name);
  const after = applyBody(before, body, disabledReason);
  if (isReseller && (body.status === 'enabled' || after.url !== before.url)) {
    requireOwn(before, body.status === 'enabled' ? 'enable it' : 'change its URL');
    if (after.disabledReason === null) await requireNotStopped(tx, after);
  }
  const isRenewed =
    after.url !== before.url || (before.disabledReason !== null && after.disabledReason === null);
  await sql.updateEndpoint(tx, before.number, { ...after, isRenewed });
  const changes = changesBetween(before, after, ['url', 'types', 'description', 'disabledReason']);
  const details = { accountId: before.accountId, data: { endpointId: before.id, changes } };
  await audit(tx, acting, 'webhook.update', details);
  return formatEndpoint(isRenewed ? { ...after, failingSinceMicros: null } : after);
}

/** For resellers. Throws not-found and forbidden. */
export async function removeEndpoint(tx: Tx, acting: Acting, name: EndpointName): Promise<void> {
  const endpoint = await lockNamed(tx, name);
  requireOwn(endpoint, 'delete it');
  const { id, number, accountId, url } = endpoint;
  await sql.deleteEndpoint(tx, number);
  await audit(tx, acting, 'webhook.delete', { accountId, data: { endpointId: id, url } });
}

export async function rotateSecret(
  tx: Tx,
  masterKeys: MasterKeys,
  request: OperationRequest<'rotateWebhookSecret'>,
  name: EndpointName,
) {
  const secret = await createSecret(tx, masterKeys);
  const endpoint = await lockNamed(tx, name);
  const overlapHours = toOverlapHours(request.body);
  const validUntilMicros = await sql.expireSecrets(tx, endpoint.number, overlapHours);
  await sql.insertSecret(tx, endpoint.number, secret.stored);
  const details = { accountId: endpoint.accountId, data: { endpointId: endpoint.id, overlapHours } };
  await audit(tx, request, 'webhook.rotate-secret', details);
  const previousValidUntil = formatDateTime(validUntilMicros);
  return { ...formatEndpoint(endpoint), secret: secret.text, previousValidUntil };
}

/** The master keys' lock must precede all others. */
async function createSecret(tx: Tx, masterKeys: MasterKeys) {
  const id = randomUUID();
  const secret = randomBytes(SECRET_SIZE_BYTES);
  const stored = { id, ...(await masterKeys.wrap(tx, secret, NAME_OF.webhookSecret(id))) };
  return { stored, text: writeSecret(secret) };
}

async function lockNamed(tx: Tx, { accountId, endpointId }: EndpointName): Promise<sql.EndpointRow> {
  return requireFound(await sql.lockEndpoint(tx, accountId, endpointId), 'webhook endpoint');
}

export function checkUrl(url: string, rules: TargetRules): void {
  const rejection = rejectTarget(url, rules);
  if (rejection !== undefined) throw invalidField('body.url', rejection);
}

/** `*` includes all other types. */
function normalizeTypes(types: readonly string[]): string[] {
  return types.includes(ALL_TYPES) ? [ALL_TYPES] : [...new Set(types)];
}

/** A `webhook.test` goes to its endpoint regardless of the types. */
export function receivesType(types: readonly string[], type: string): boolean {
  return types.includes(ALL_TYPES) || types.includes(type) || type === 'webhook.test';
}

type EndpointBody = {
  readonly url?: string;
  readonly types?: readonly string[];
  readonly description?: string | null;
  readonly status?: 'enabled' | 'disabled';
};

/** An endpoint that an operator disabled stays, so that its URL stays known. A315. Throws forbidden. */
function requireOwn({ disabledReason }: sql.EndpointRow, action: string): void {
  if (disabledReason === DISABLED_BY_OPERATOR)
    throw stopped(`this webhook endpoint, and only the marketplace can ${action}`);
}

/** A reseller cannot send to a URL at which an operator disabled an endpoint of the account. A315. Throws forbidden. */
async function requireNotStopped(tx: Tx, { accountId, url }: Pick<sql.EndpointRow, 'accountId' | 'url'>) {
  const wanted = normalizeUrl(url);
  const others = await sql.listEndpoints(tx, accountId);
  const isStopped = others.some(
    (other) => other.disabledReason === DISABLED_BY_OPERATOR && normalizeUrl(other.url) === wanted,
  );
  if (isStopped) throw stopped('a webhook endpoint with this URL, and nothing is sent to it again');
}

function stopped(what: string): ApiError {
  return new ApiError('forbidden', {
    message: `The marketplace disabled ${what}. Nothing was changed. Contact your account manager.`,
  });
}

function applyBody(before: sql.EndpointRow, body: EndpointBody, reason: string): sql.EndpointRow {
  const { url = before.url, types, description = before.description, status } = body;
  const known = reason === DISABLED_BY_OPERATOR ? null : before.disabledReason;
  const disabledReason = status === 'disabled' ? (known ?? reason) : before.disabledReason;
  return {
    ...before,
    url,
    types: types === undefined ? before.types : normalizeTypes(types),
    description,
    disabledReason: status === 'enabled' ? null : disabledReason,
  };
}
