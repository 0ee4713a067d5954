import type { Rejection } from '@keyport/contract/orders/operator-orders';
import { formatDateTime } from '@keyport/core/date-time';
import { fingerprintDetail, parseFingerprint } from '@keyport/core/idempotency';
import { formatMinor } from '@keyport/core/money';
import { operationKey } from '@keyport/core/orders/reservations';
import { parseTimeRange } from '@keyport/http/validation/query';
import type { Database } from '../../db/engines/database.ts';
import type { Db } from '../../db/schema.ts';
import { readListPage } from '../../operations/list-page.ts';
import type { OperationRequest } from '../../operations/operation.ts';
import * as sql from './rejection-lists.sql.ts';

/** A42. */
export async function listRejections(database: Database, query: OperationRequest<'listRejections'>['query']) {
  const { query: words, code, accountId } = query;
  const filter = { words, code, accountId, ...parseTimeRange(query, 'dateFrom', 'dateTo') };
  const list = sql.rejectionsList(filter, query.sort !== 'rejectedAt');
  const toId = ({ number }: sql.RejectionRow) => number;
  const wanted = { name: 'rejections', query, list, load: sql.loadRejections, toId };
  const { rows, meta } = await readListPage(database, wanted);
  return { status: 200, data: await formatRejections(database.db, rows), meta };
}

async function formatRejections(db: Db, rows: readonly sql.RejectionRow[]): Promise<Rejection[]> {
  const requested = rows.map((row) => {
    const line = parseFingerprint(row.fingerprint);
    const isAuto = line.kind === 'auto';
    return {
      ...row,
      line,
      productId: isAuto ? line.productId : null,
      offerId: isAuto ? null : line.offerId,
    };
  });
  const products = await sql.findRequestedProducts(db, requested);
  const byTarget = new Map<string | null, sql.RequestedProduct>(
    products.map((found) => [found.offerId ?? found.productId, found]),
  );
  return requested.map(({ rejectedAtMicros, accountId, accountName, idempotencyKey, line, ...rest }) => {
    const { code, message, data = {} } = JSON.parse(rest.body).error;
    const found = byTarget.get(rest.offerId ?? rest.productId);
    return {
      rejectedAt: formatDateTime(rejectedAtMicros),
      accountId,
      accountName,
      idempotencyKey: sentKey(idempotencyKey, rest.fingerprint),
      productId: rest.productId ?? found?.productId ?? null,
      productName: found?.productName ?? null,
      offerId: rest.offerId,
      quantity: line.quantity,
      ...(line.reference === undefined ? {} : { reference: line.reference }),
      maxPrice: formatMinor(line.maxPriceMinor),
      code,
      message,
      data,
    };
  });
}

/** For reservations, a derived key is stored. */
function sentKey(idempotencyKey: string, fingerprint: string): string {
  const detail = fingerprintDetail(fingerprint);
  if (detail === undefined) return idempotencyKey;
  return operationKey(idempotencyKey, detail.startsWith('rsv_') ? 'order' : 'reserve');
}
