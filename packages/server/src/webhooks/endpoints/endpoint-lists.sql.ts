import { COUNTED_DELIVERIES_MAX } from '@keyport/contract/webhooks/webhooks';
import { plainArray } from '../../db/engines/prepared.ts';
import { type List, numberKey } from '../../db/keyset.sql.ts';
import { allRows } from '../../db/rows.ts';
import type { Db } from '../../db/schema.ts';
import { matchesWords } from '../../db/search.sql.ts';
import { type Sql, sql } from '../../db/sql.ts';
import { ENDPOINTS, type EndpointRow } from './endpoints.sql.ts';

export type EndpointFilter = {
  readonly query?: string | undefined;
  readonly accountId?: string | undefined;
  readonly status?: 'enabled' | 'disabled' | undefined;
  readonly isFailing: boolean | undefined;
};

/** Within an account, other filters need no index: it has few endpoints. */
export function endpointsList(filter: EndpointFilter, isDescending: boolean): List {
  const { query, accountId, status, isFailing } = filter;
  const filters: Sql[] = [sql`deleted_at IS NULL`];
  if (accountId !== undefined) filters.push(sql`account_id = ${accountId}::uuid`);
  if (status !== undefined) filters.push(sql`(disabled_reason IS NULL) = ${status === 'enabled'}`);
  if (isFailing !== undefined) filters.push(sql`(failing_since IS NOT NULL) = ${isFailing}`);
  if (query !== undefined)
    filters.push(
      sql`(webhook_endpoint.id = ${query} OR ${matchesWords(sql`search_words(url || ' ' || coalesce(description, ''))`, query)})`,
    );
  return {
    from: sql`webhook_endpoint`,
    alias: 'webhook_endpoint',
    key: [numberKey('webhook_endpoint.number')],
    isDescending,
    filters,
  };
}

export type ListedEndpointRow = EndpointRow & {
  readonly accountName: string;
  readonly pending: number;
  readonly failed: number;
};

/** Index: webhook_delivery_open_ix. */
export function loadEndpoints(db: Db, numbers: readonly string[]): Promise<ListedEndpointRow[]> {
  const counted = (condition: Sql) => sql`(SELECT count(*) FROM (
    SELECT FROM webhook_delivery WHERE endpoint = shown.number AND NOT is_delivered AND ${condition} LIMIT ${COUNTED_DELIVERIES_MAX}
  ) AS deliveries)`;
  return allRows<ListedEndpointRow>(db)`
    SELECT shown.*, account.name AS "accountName", ${counted(sql`next_attempt_at IS NOT NULL`)} AS pending,
      ${counted(sql`next_attempt_at IS NULL`)} AS failed
    FROM (${ENDPOINTS} WHERE endpoint.number = ANY (${plainArray(numbers)}::bigint[])) AS shown
    JOIN account ON account.id = shown."accountId"`;
}
