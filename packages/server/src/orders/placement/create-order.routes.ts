import type { CreateOrderBody } from '@keyport/contract/orders/orders';
import { assertNever, must } from '@keyport/core/assert';
import { fingerprintLine, type LineTerms, type OrderLine } from '@keyport/core/idempotency';
import { parseMaxPrice } from '@keyport/core/money';
import { ApiError } from '@keyport/http/replies/api-error';
import type { Reply } from '@keyport/http/replies/reply';
import {
  keyInProcess,
  REPLAYED_HEADERS,
  readIdempotencyKey,
  replayStatus,
} from '@keyport/http/validation/idempotency-key';
import type { OperationHandlers } from '../../operations/operation.ts';
import { CREATED, type StoredResponse, withTraceId } from '../order-response.ts';
import { describeEnd } from '../reservations/view-reservation.ts';
import type { FinalResult, Placement } from './placement.ts';

export function buildCreateOrderHandler(placement: Placement) {
  return {
    createOrder: async ({ body, headers, principal, traceId, rehearsal }) => {
      const idempotencyKey = readIdempotencyKey(headers['idempotency-key']);
      const line = parseLine(body);
      const fingerprint = fingerprintLine(line);
      const result = await placement.submit({
        accountId: principal.accountId,
        idempotencyKey,
        fingerprint,
        line,
        traceId,
        decorate: rehearsal?.decorate,
      });
      return toReply(result, traceId);
    },
  } satisfies Partial<OperationHandlers>;
}

/** Two bodies have equal fingerprints if and only if they order the same thing (A38). */
export function fingerprintOrder(body: CreateOrderBody): string {
  return fingerprintLine(parseLine(body));
}

/** Normalizes a validated body (A38). */
export function parseLine(body: CreateOrderBody): OrderLine {
  const item = must(body.items[0], 'the schema requires one item');
  const { quantity, maxPrice } = must(item.auto ?? item.manual, 'the schema requires auto or manual');
  const maxPriceMinor = must(parseMaxPrice(maxPrice), 'the schema has checked maxPrice');
  const common: Required<LineTerms> = { quantity, maxPriceMinor, reference: body.reference };
  if (item.auto !== undefined) return { kind: 'auto', productId: item.auto.productId, ...common };
  const { offerId } = must(item.manual, 'the schema requires auto or manual');
  return { kind: 'manual', offerId: offerId.toLowerCase(), ...common };
}

export function toReply(result: FinalResult, traceId: string): Reply {
  switch (result.kind) {
    case 'response':
      return { status: result.status, bytes: toBytes(result, traceId), code: toCode(result) };
    case 'replay': {
      const status = replayStatus(result.status);
      return { status, bytes: toBytes(result, traceId), headers: REPLAYED_HEADERS, code: toCode(result) };
    }
    case 'processing':
      throw keyInProcess(result.retryAfterMs);
    case 'key-reused':
      throw new ApiError('idempotency-key-already-used');
    case 'reservation-ended':
      throw describeEnd(result.end);
    default:
      return assertNever(result);
  }
}

function toCode({ status, body }: StoredResponse): string | undefined {
  return status === CREATED ? undefined : JSON.parse(body).error.code;
}

function toBytes({ body }: StoredResponse, traceId: string): Buffer {
  return Buffer.from(withTraceId(body, traceId));
}
