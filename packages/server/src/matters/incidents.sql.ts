import type { IncidentKind } from '@keyport/contract/operators/summary';
import type { TimeRange } from '@keyport/http/validation/query';
import { type List, numberKey, timeKey } from '../db/keyset.sql.ts';
import { allRows } from '../db/rows.ts';
import type { Db } from '../db/schema.ts';
import { type Sql, sql } from '../db/sql.ts';
import { deriveMicros, toTimestamp } from '../db/timestamps.ts';
import type { OperationRequest } from '../operations/operation.ts';
import { ARE_INCIDENTS } from './matters.sql.ts';

export function incidentsList(
  { kind, open, sort }: OperationRequest<'listIncidents'>['query'],
  { fromMicros, toMicros }: TimeRange,
): List {
  const filters: Sql[] = [kind === undefined ? ARE_INCIDENTS : sql`kind = ${kind}`];
  if (open !== undefined) filters.push(sql`(ended_at IS NULL) = ${open === 'true'}`);
  if (fromMicros !== undefined)
    filters.push(sql`coalesce(ended_at, 'infinity') >= ${toTimestamp(fromMicros)}`);
  return {
    from: sql`matter`,
    alias: 'matter',
    key: [timeKey('matter.began_at'), numberKey('matter.id')],
    isDescending: sort !== 'beganAt',
    scanned: toMicros === undefined ? [] : [sql`matter.began_at <= ${toTimestamp(toMicros)}`],
    filters,
  };
}

export type IncidentRow = {
  readonly id: number;
  readonly kind: IncidentKind;
  readonly subject: string;
  readonly title: string;
  readonly accountId: string | null;
  readonly beganMicros: number;
  readonly endedMicros: number | null;
};

export function loadIncidents(db: Db, ids: readonly string[]): Promise<IncidentRow[]> {
  return allRows<IncidentRow>(db)`
    SELECT id, kind, subject, title, account_id AS "accountId", ${deriveMicros('began_at')} AS "beganMicros",
      ${deriveMicros('ended_at')} AS "endedMicros"
    FROM matter WHERE id = ANY (${[...ids]}::bigint[])`;
}
