/**
 * Creates, shows, changes and deletes webhook endpoints. The secret is in the response that makes it and nowhere else: never in
 * the audit log. A310 to A312.
 */
import { randomBytes, randomUUID } from 'node:crypto';
import {
  ALL_TYPES,
  overlapHoursOf,
  WEBHOOK_ENDPOINTS_MAX,
  type WebhookEndpoint,
} from '@keyport/contract/webhooks/webhooks';
import { formatDateTime } from '@keyport/core/date-time';
import { ApiError, invalidField, notFound, requireFound } from '@keyport/http/replies/api-error';
import { type Acting, auditRecord, changesBetween } from '../../audit/action.ts';
import { insertAudit } from '../../audit/append-audit.sql.ts';
import { NAME_OF } from '../../custody/envelope.ts';
import type { MasterKeys } from '../../custody/master-keys.ts';
import type { Database } from '../../db/engines/database.ts';
import type { Tx } from '../../db/schema.ts';
import { readListPage } from '../../operations/list-page.ts';
import type { OperationHandlers } from '../../operations/operation.ts';
import { SECRET_SIZE_BYTES, writeSecret } from '../signature.ts';
import { endpointsList, type ListedEndpointRow, loadEndpoints } from './endpoint-lists.sql.ts';
import {
  DISABLED_BY_OPERATOR,
  deleteEndpoint,
  type EndpointRow,
  expireSecrets,
  findEndpoint,
  hasAccount,
  insertEndpoint,
  insertSecret,
  listEndpoints,
  lockEndpoint,
  lockEndpointsOf,
  updateEndpoint,
} from './endpoints.sql.ts';
import { rejectTarget, type TargetRules, withoutAddress } from './targets.ts';

export type EndpointDeps = {
  readonly database: Database;
  readonly masterKeys: MasterKeys;
  readonly targetRules: TargetRules;
  /** Called after commit: this node's worker takes the change over at once, the others within seconds. */
  readonly onEndpointChanged: () => void;
};

type EndpointHandlers = Pick<
  OperationHandlers,
  | 'createWebhookEndpoint'
  | 'listWebhookEndpoints'
  | 'getWebhookEndpoint'
  | 'updateWebhookEndpoint'
  | 'deleteWebhookEndpoint'
  | 'rotateWebhookSecret'
  | 'listAccountWebhookEndpoints'
  | 'getAccountWebhookEndpoint'
  | 'listAllWebhookEndpoints'
  | 'updateAccountWebhookEndpoint'
>;

const DISABLED_BY_RESELLER = 'Disabled by a request to this interface.';

export function buildEndpointHandlers(deps: EndpointDeps): EndpointHandlers {
  return { ...buildReads(deps), ...buildWrites(deps) };
}

function buildReads({ database }: EndpointDeps) {
  const read = async (accountId: string, id: string) =>
    formatEndpoint(requireFound(await findEndpoint(database.kysely, accountId, id), 'webhook endpoint'));
  const list = async (accountId: string) =>
    (await listEndpoints(database.kysely, accountId)).map(formatEndpoint);
  return {
    listWebhookEndpoints: async ({ principal }) => ({ status: 200, data: await list(principal.accountId) }),
    getWebhookEndpoint: async ({ params, principal }) => ({
      status: 200,
      data: await read(principal.accountId, params.endpointId),
    }),
    async listAccountWebhookEndpoints({ params }) {
      const data = await list(params.accountId);
      if (data.length === 0 && !(await hasAccount(database.kysely, params.accountId)))
        throw notFound('account');
      return { status: 200, data };
    },
    async listAllWebhookEndpoints({ query }) {
      const list = endpointsList(
        { ...query, isFailing: query.failing === 'true' },
        query.sort === '-createdAt',
      );
      const idOf = ({ number }: ListedEndpointRow) => number;
      const wanted = { name: 'webhook-endpoints', query, list, load: loadEndpoints, idOf };
      const { rows, meta } = await readListPage(database, wanted);
      const data = rows.map(({ accountName, pending, failed, ...row }) => ({
        ...formatEndpoint(row),
        accountId: row.accountId,
        accountName,
        pendingDeliveries: pending,
        failedDeliveries: failed,
      }));
      return { status: 200, data, meta };
    },
    getAccountWebhookEndpoint: async ({ params }) => ({
      status: 200,
      data: await read(params.accountId, params.endpointId),
    }),
  } satisfies Partial<EndpointHandlers>;
}

function buildWrites({ masterKeys, targetRules, onEndpointChanged }: EndpointDeps) {
  /** The new secret, stored; rotations of the master key come before all other locks. */
  async function makeSecret(tx: Tx) {
    const id = randomUUID();
    const secret = randomBytes(SECRET_SIZE_BYTES);
    const stored = { id, ...(await masterKeys.wrap(tx, secret, NAME_OF.webhookSecret(id))) };
    return { stored, text: writeSecret(secret) };
  }
  function change(acting: Acting, name: EndpointName, body: EndpointBody, disabledReason: string) {
    return async (tx: Tx) => {
      const before = await lockNamed(tx, name);
      if (body.status === 'enabled') requireMayEnable(before, disabledReason);
      const after = applyBody(before, body, disabledReason);
      const isRenewed =
        after.url !== before.url || (before.disabledReason !== null && after.disabledReason === null);
      await updateEndpoint(tx, before.number, { ...after, isRenewed });
      const changes = changesBetween(before, after, ['url', 'types', 'description', 'disabledReason']);
      const data = { endpointId: before.id, changes };
      const details = { accountId: before.accountId, data };
      await insertAudit(tx, auditRecord(acting, 'webhook.update', details));
      const shown = isRenewed ? { ...after, failingSinceMicros: null } : after;
      return { status: 200, data: formatEndpoint(shown), onCommitted: onEndpointChanged } as const;
    };
  }
  return {
    createWebhookEndpoint(request) {
      const { url, types, description = null } = request.body;
      checkUrl(url, targetRules);
      const { accountId } = request.principal;
      return async (tx) => {
        const secret = await makeSecret(tx);
        await lockEndpointsOf(tx, accountId);
        if ((await listEndpoints(tx, accountId)).length >= WEBHOOK_ENDPOINTS_MAX) throw tooMany();
        const id = `whe_${randomUUID().replaceAll('-', '')}`;
        const settings = { url, types: normalizeTypes(types), description, disabledReason: null };
        const endpoint = await insertEndpoint(tx, { id, accountId, ...settings });
        await insertSecret(tx, endpoint.number, secret.stored);
        const details = { accountId, data: { endpointId: id, url, types: settings.types } };
        await insertAudit(tx, auditRecord(request, 'webhook.create', details));
        const data = { ...formatEndpoint(endpoint), secret: secret.text };
        return { status: 201, data, onCommitted: onEndpointChanged };
      };
    },

    updateWebhookEndpoint(request) {
      const { body } = request;
      if (body.url !== undefined) checkUrl(body.url, targetRules);
      return change(request, ownEndpoint(request), body, DISABLED_BY_RESELLER);
    },

    updateAccountWebhookEndpoint: (request) =>
      change(request, request.params, request.body, DISABLED_BY_OPERATOR),

    deleteWebhookEndpoint: (request) => async (tx) => {
      const { id, number, accountId, url } = await lockNamed(tx, ownEndpoint(request));
      await deleteEndpoint(tx, number);
      await insertAudit(
        tx,
        auditRecord(request, 'webhook.delete', { accountId, data: { endpointId: id, url } }),
      );
      return { status: 204, onCommitted: onEndpointChanged };
    },

    rotateWebhookSecret: (request) => async (tx) => {
      const secret = await makeSecret(tx);
      const endpoint = await lockNamed(tx, ownEndpoint(request));
      const overlapHours = overlapHoursOf(request.body);
      const validUntilMicros = await expireSecrets(tx, endpoint.number, overlapHours);
      await insertSecret(tx, endpoint.number, secret.stored);
      const details = { accountId: endpoint.accountId, data: { endpointId: endpoint.id, overlapHours } };
      await insertAudit(tx, auditRecord(request, 'webhook.rotate-secret', details));
      const previousValidUntil = formatDateTime(validUntilMicros);
      const data = { ...formatEndpoint(endpoint), secret: secret.text, previousValidUntil };
      return { status: 200, data, onCommitted: onEndpointChanged };
    },
  } satisfies Partial<EndpointHandlers>;
}

type EndpointName = { readonly accountId: string; readonly endpointId: string };

/** Of the caller's account. */
function ownEndpoint(request: {
  readonly params: { readonly endpointId: string };
  readonly principal: { readonly accountId: string };
}): EndpointName {
  return { accountId: request.principal.accountId, endpointId: request.params.endpointId };
}

/** The endpoint, locked. Throws not-found. */
async function lockNamed(tx: Tx, { accountId, endpointId }: EndpointName): Promise<EndpointRow> {
  return requireFound(await lockEndpoint(tx, accountId, endpointId), 'webhook endpoint');
}

function checkUrl(url: string, rules: TargetRules): void {
  const rejection = rejectTarget(url, rules);
  if (rejection !== undefined) throw invalidField('body.url', rejection);
}

function tooMany(): ApiError {
  return new ApiError('conflict', {
    message: `The account has ${WEBHOOK_ENDPOINTS_MAX} webhook endpoints, which is the most. Delete one first.`,
  });
}

/** Each once. With `*` the others say nothing. */
function normalizeTypes(types: readonly string[]): string[] {
  return types.includes(ALL_TYPES) ? [ALL_TYPES] : [...new Set(types)];
}

type EndpointBody = {
  readonly url?: string;
  readonly types?: readonly string[];
  readonly description?: string | null;
  readonly status?: 'enabled' | 'disabled';
};

/** Only operators enable an endpoint that an operator disabled. A493. Throws forbidden. */
function requireMayEnable({ disabledReason }: EndpointRow, ownReason: string): void {
  if (disabledReason !== DISABLED_BY_OPERATOR || ownReason === DISABLED_BY_OPERATOR) return;
  throw new ApiError('forbidden', {
    message:
      'The marketplace disabled this webhook endpoint, and only the marketplace can enable it. Contact your account manager.',
  });
}

function applyBody(before: EndpointRow, body: EndpointBody, reason: string): EndpointRow {
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

function formatEndpoint(row: EndpointRow): WebhookEndpoint {
  const { id, url, types, description, disabledReason, failingSinceMicros } = row;
  return {
    id,
    url,
    // The contract's are an open list: what a later version stored is shown as it is.
    types: [...types] as WebhookEndpoint['types'],
    description,
    status: disabledReason === null ? 'enabled' : 'disabled',
    ...(disabledReason === null ? {} : { disabledReason: withoutAddress(disabledReason) }),
    ...(failingSinceMicros === null ? {} : { failingSince: formatDateTime(failingSinceMicros) }),
    createdAt: formatDateTime(row.createdAtMicros),
  };
}
