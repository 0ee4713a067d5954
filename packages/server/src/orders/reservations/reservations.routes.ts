/** Creating and ordering a reservation go through placement (A600). */
import { randomUUID } from 'node:crypto';
import { TTL_SECONDS_DEFAULT } from '@keyport/contract/orders/reservations';
import { fingerprintLine } from '@keyport/core/idempotency';
import { operationKey } from '@keyport/core/orders/reservations';
import { readIdempotencyKey } from '@keyport/http/validation/idempotency-key';
import type { Database } from '../../db/engines/database.ts';
import { type OperationHandlers, replyWith } from '../../operations/operation.ts';
import { parseLine, toReply } from '../placement/create-order.routes.ts';
import type { Placement } from '../placement/placement.ts';
import {
  listAllReservations,
  listReservations,
  readReservation,
  releaseAsOperator,
  releaseReservation,
  renewReservation,
} from './reservations.ts';
import { formatReservation } from './view-reservation.ts';

export type ReservationDeps = {
  readonly database: Database;
  readonly placement: Placement;
  readonly onCatalogueChanged: () => void;
};

export function buildReservationHandlers({ database, placement, onCatalogueChanged }: ReservationDeps) {
  const find = (request: OwnRequest) => readReservation(database.db, toName(request));
  return {
    createReservation: async ({ body, headers, principal: { accountId }, traceId, rehearsal }) => {
      const line = parseLine(body);
      const { ttlSeconds = TTL_SECONDS_DEFAULT } = body;
      const result = await placement.submit({
        accountId,
        idempotencyKey: operationKey(readIdempotencyKey(headers['idempotency-key']), 'reserve'),
        fingerprint: fingerprintLine(line, ttlSeconds),
        line,
        traceId,
        decorate: rehearsal?.decorate,
        reserve: { id: `rsv_${randomUUID().replaceAll('-', '')}`, ttlSeconds },
      });
      return toReply(result, traceId);
    },
    listReservations: ({ query, principal }) => listReservations(database, query, principal.accountId),
    getReservation: async (request) => ({ status: 200, data: formatReservation(await find(request)) }),
    listAllReservations: ({ query }) => listAllReservations(database, query),
    releaseAnyReservation: (request) =>
      replyWith(200, (tx) => releaseAsOperator(tx, request), onCatalogueChanged),
    renewReservation: (request) =>
      replyWith(200, (tx) => renewReservation(tx, toName(request), request.body.ttlSeconds)),
    releaseReservation: (request) => async (tx) => {
      const isCatalogueChanged = await releaseReservation(tx, toName(request));
      return { status: 204, ...(isCatalogueChanged && { onCommitted: onCatalogueChanged }) };
    },
    orderReservation: async ({ headers, traceId, rehearsal, ...request }) => {
      const idempotencyKey = readIdempotencyKey(headers['idempotency-key']);
      const { id, accountId, reference, ...reserved } = await find(request);
      const { offerId, quantity, maxPriceMinor } = reserved;
      const wanted = { kind: 'manual', offerId, quantity, maxPriceMinor } as const;
      const line = { ...wanted, reference: reference ?? undefined };
      const result = await placement.submit({
        accountId,
        idempotencyKey: operationKey(idempotencyKey, 'order'),
        fingerprint: fingerprintLine(line, id),
        line,
        traceId,
        decorate: rehearsal?.decorate,
        reservationId: id,
      });
      return toReply(result, traceId);
    },
  } satisfies Partial<OperationHandlers>;
}

type OwnRequest = {
  readonly params: { readonly reservationId: string };
  readonly principal: { readonly accountId: string };
};

function toName({ params, principal }: OwnRequest) {
  return { id: params.reservationId, accountId: principal.accountId };
}
