import type { Operator } from '@keyport/contract/operators/people';
import { formatDateTime } from '@keyport/core/date-time';
import { requireFound } from '@keyport/http/replies/api-error';
import { offsetOf } from '@keyport/http/validation/paging';
import type { Database } from '../db/engines/database.ts';
import type { Db } from '../db/schema.ts';
import { pageResponse } from '../operations/list-page.ts';
import type { OperationRequest } from '../operations/operation.ts';
import { countOperators, findOperator, listOperators, type OperatorRow } from './operators.sql.ts';

export function readOperators(
  { kysely }: Database,
  { query }: Pick<OperationRequest<'listOperators'>, 'query'>,
) {
  return pageResponse(query, {
    load: (paging) => listOperators(kysely, { limit: paging.itemsPerPage, offset: offsetOf(paging) }),
    count: () => countOperators(kysely),
    format: formatOperator,
  });
}

export async function readOperator(db: Db, id: string): Promise<Operator> {
  return formatOperator(requireFound(await findOperator(db, id), 'operator'));
}

export function formatOperator(row: OperatorRow): Operator {
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
