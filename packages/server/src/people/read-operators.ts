import type { Operator } from '@keyport/contract/operators/people';
import { formatDateTime } from '@keyport/core/date-time';
import { requireFound } from '@keyport/http/replies/api-error';
import { offsetOf } from '@keyport/http/validation/paging';
import type { Database } from '../db/engines/database.ts';
import type { Db } from '../db/schema.ts';
import { pageResponse } from '../operations/list-page.ts';
import type { OperationRequest } from '../operations/operation.ts';
import { hasPermission } from '../operations/permission.ts';
import { countOperators, findOperator, listOperators, type OperatorRow } from './operators.sql.ts';

export function readOperators({ kysely }: Database, { query, principal }: OperationRequest<'listOperators'>) {
  return pageResponse(query, {
    load: (paging) => listOperators(kysely, { limit: paging.itemsPerPage, offset: offsetOf(paging) }),
    count: () => countOperators(kysely),
    format: (row) => formatFor(principal, row),
  });
}

export async function readOperator(db: Db, { params, principal }: OperationRequest<'getOperator'>) {
  return formatFor(principal, requireFound(await findOperator(db, params.operatorId), 'operator'));
}

function formatFor({ operatorRole }: OperationRequest<'getOperator'>['principal'], row: OperatorRow) {
  const operator = formatOperator(row);
  return hasPermission(operatorRole, 'internal') ? operator : { ...operator, email: '' };
}

export function formatOperator(row: OperatorRow): Operator {
  const { id, name, email, role, isDisabled, lastSeenAtMicros, createdAtMicros } = row;
  const lastSeenAt = lastSeenAtMicros === null ? null : formatDateTime(lastSeenAtMicros);
  const status = isDisabled ? 'disabled' : 'active';
  return { id, name, email, role, status, lastSeenAt, createdAt: formatDateTime(createdAtMicros) };
}
