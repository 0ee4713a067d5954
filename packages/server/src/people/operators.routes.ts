/** Lists, invites, changes and disables the people who operate the service. One admin at least can always sign in. */

import { buildMeta } from '@keyport/contract/envelope';
import type { Operator, OperatorPatchBody } from '@keyport/contract/operators/people';
import { formatDateTime } from '@keyport/core/date-time';
import { ApiError, invalidField, requireFound } from '@keyport/http/replies/api-error';
import { offsetOf, pagingOf } from '@keyport/http/validation/paging';
import { auditRecord, changesBetween } from '../audit/action.ts';
import { insertAudit } from '../audit/append-audit.sql.ts';
import type { Database } from '../db/engines/database.ts';
import { isUniqueViolation } from '../db/errors.ts';
import type { Tx } from '../db/schema.ts';
import type { OperationHandlers } from '../operations/operation.ts';
import { emailProblem } from './email.ts';
import { generateOperatorId, type InvitationDeps, invite } from './invitations.ts';
import {
  countOperators,
  deleteCredentials,
  findOperator,
  insertOperator,
  isLastAdmin,
  listOperators,
  lockAdmins,
  lockOperator,
  type OperatorRow,
  type OperatorSettings,
  updateOperator,
  type Ways,
} from './operators.sql.ts';

const THING = 'operator';

export function buildOperatorHandlers(
  deps: InvitationDeps & { readonly database: Database; readonly ways: Ways },
): Pick<
  OperationHandlers,
  | 'listOperators'
  | 'createOperator'
  | 'getOperator'
  | 'updateOperator'
  | 'inviteOperator'
  | 'resetOperatorCredentials'
> {
  const { database, ways } = deps;
  return {
    async listOperators({ query }) {
      const paging = pagingOf(query);
      const page = { limit: paging.itemsPerPage, offset: offsetOf(paging) };
      const rows = await listOperators(database.kysely, page);
      const totalResults = await countOperators(database.kysely);
      return { status: 200, data: rows.map(formatOperator), meta: buildMeta({ ...paging, totalResults }) };
    },

    async getOperator({ params }) {
      const operator = await findOperator(database.kysely, params.operatorId);
      return { status: 200, data: formatOperator(requireFound(operator, THING)) };
    },

    createOperator: (request) => async (tx) => {
      requireEmail(request.body.email);
      const operator = { id: generateOperatorId(), ...request.body };
      const created = await insertOperator(tx, operator).catch(rejectTakenEmail);
      await insertAudit(tx, auditRecord(request, 'operator.create', { data: operator }));
      return { status: 201, data: await withInvitation(tx, deps, created) };
    },

    updateOperator: (request) => async (tx) => {
      const { operatorId } = request.params;
      requireEmail(request.body.email);
      const admins = await lockAdmins(tx, ways);
      const before = requireFound(await lockOperator(tx, operatorId), THING);
      const after = applyPatch(before, request.body);
      const isActiveAdmin = after.role === 'admin' && !after.isDisabled;
      if (!isActiveAdmin && isLastAdmin(admins, operatorId)) throw lastAdmin();
      await updateOperator(tx, operatorId, after).catch(rejectTakenEmail);
      const changes = changesBetween(before, after, ['name', 'email', 'role', 'isDisabled']);
      // When enabled, too: earlier versions left them to disabled people.
      const removed =
        before.isDisabled === after.isDisabled
          ? {}
          : { removed: await deleteCredentials(tx, operatorId, { keepsSubject: after.isDisabled }) };
      const data = { id: operatorId, ...changes, ...removed };
      await insertAudit(tx, auditRecord(request, 'operator.update', { data }));
      return { status: 200, data: formatOperator({ ...before, ...after }) };
    },

    inviteOperator: (request) => async (tx) => {
      const operator = await lockActive(tx, request.params.operatorId);
      await insertAudit(tx, auditRecord(request, 'operator.invite', { data: { id: operator.id } }));
      return { status: 201, data: await withInvitation(tx, deps, operator) };
    },

    resetOperatorCredentials: (request) => async (tx) => {
      const operator = await lockActive(tx, request.params.operatorId);
      const removed = await deleteCredentials(tx, operator.id, { keepsSubject: false });
      const data = { id: operator.id, removed };
      await insertAudit(tx, auditRecord(request, 'operator.reset-credentials', { data }));
      return { status: 201, data: await withInvitation(tx, deps, operator) };
    },
  };
}

async function lockActive(tx: Tx, id: string): Promise<OperatorRow> {
  const operator = requireFound(await lockOperator(tx, id), THING);
  if (!operator.isDisabled) return operator;
  throw new ApiError('conflict', {
    message: 'The operator is disabled and cannot sign in. Set the status to active first.',
  });
}

async function withInvitation(tx: Tx, deps: InvitationDeps, operator: OperatorRow) {
  const { invitationUrl, expiresAtMicros } = await invite(tx, deps, operator.id);
  return {
    ...formatOperator(operator),
    invitationUrl,
    invitationExpiresAt: formatDateTime(expiresAtMicros),
  };
}

function requireEmail(email: string | undefined): void {
  const problem = email === undefined ? undefined : emailProblem(email);
  if (problem !== undefined) throw invalidField('body.email', problem);
}

function applyPatch(before: OperatorRow, { status, ...changes }: OperatorPatchBody): OperatorSettings {
  const { name, email, role, isDisabled } = before;
  return {
    name,
    email,
    role,
    ...changes,
    isDisabled: status === undefined ? isDisabled : status === 'disabled',
  };
}

function rejectTakenEmail(error: unknown): never {
  if (!isUniqueViolation(error, 'operator_email_uq')) throw error;
  throw new ApiError('conflict', {
    message: 'Another operator has this e-mail address. Change that one, or give another address.',
    cause: error,
  });
}

function lastAdmin(): ApiError {
  return new ApiError('conflict', {
    message:
      'Without this admin, no admin could sign in; nothing was changed. First make another operator an admin, or send ' +
      'another admin a new link.',
  });
}

function formatOperator(row: OperatorRow): Operator {
  return {
    id: row.id,
    name: row.name,
    email: row.email,
    role: row.role,
    status: row.isDisabled ? 'disabled' : 'active',
    lastSeenAt: row.lastSeenAtMicros === null ? null : formatDateTime(row.lastSeenAtMicros),
    createdAt: formatDateTime(row.createdAtMicros),
  };
}
