/** A703. */
import { Type } from 'typebox';
import { CursorMeta, cursorQuery, listEnvelope, TraceId } from '../envelope.ts';
import { DateTime, DateTimeInput, OrderId, Uuid } from '../formats.ts';
import { ClientIdInput, TraceIdInput } from '../lists.ts';
import { count, namedObject, toQuery, wholeNumber } from '../schema.ts';
import { CALLER } from './members.ts';

export const REQUEST_RETENTION_DAYS = 7;
export const LOGGED_BODY_BYTES_MAX = 4096;

const RANGE = {
  from: { ...DateTimeInput, description: 'From this time on.' },
  to: { ...DateTimeInput, description: 'Before this time.' },
};

const CURSOR = cursorQuery('must be the nextCursor of an earlier page with the same filters', 1000);

export const RequestsQuery = toQuery({
  ...RANGE,
  status: wholeNumber(100, 599, 'Only responses with this status.'),
  code: Type.String({
    pattern: '^[a-z0-9_-]{1,64}$',
    description: 'Only responses with this error code.',
    'x-rule': 'must be an error code, such as offer-not-available',
  }),
  clientId: { ...ClientIdInput, description: 'Only requests of this client or member.' },
  traceId: TraceIdInput,
  orderId: OrderId,
  ...CURSOR,
  limit: wholeNumber(1, 100, 'At most this many elements.', { default: 20 }),
});

export const RequestCountsQuery = toQuery(RANGE);

const body = (of: string) =>
  Type.Optional(
    Type.String({
      description: `The first ${LOGGED_BODY_BYTES_MAX} bytes of the ${of}; codes, secrets and tokens are replaced by \`***\`.`,
    }),
  );

export const LoggedRequest = namedObject('LoggedRequest', {
  id: Type.String({ examples: ['req_0b7e9c1e53a44c9e9f0f6a4ce5f0d111'] }),
  at: Type.String({ ...DateTime, description: 'When the request began.' }),
  ...CALLER,
  method: Type.String(),
  path: Type.String(),
  query: Type.String({ description: 'Without the question mark; empty if there is none.' }),
  status: Type.Integer({
    description: 'The status of the response; 499: the connection ended before the response was sent.',
  }),
  code: Type.Optional(Type.String({ description: 'The error code.' })),
  traceId: TraceId,
  durationMs: count('Milliseconds from the start of the request until the response was sent.'),
  idempotencyKey: Type.Optional(Uuid),
  orderId: Type.Optional(OrderId),
  address: Type.String({ description: 'The address from which the request came.' }),
  userAgent: Type.Optional(Type.String()),
  requestBody: body('body of the request'),
  responseBody: body('body of the response'),
});

export const LoggedRequests = listEnvelope(
  Type.Array(LoggedRequest),
  namedObject('LoggedRequestsMeta', {
    ...CursorMeta.properties,
    omitted: count(
      'The number of requests in the range that were not recorded, because too many arrived in a second.',
    ),
  }),
);

export const RequestCount = namedObject('RequestCount', {
  minute: Type.String({ ...DateTime, description: 'The beginning of the minute.' }),
  operation: Type.String({ description: 'The `operationId` in this document.', examples: ['getProduct'] }),
  count: count('Successful reads.'),
});
