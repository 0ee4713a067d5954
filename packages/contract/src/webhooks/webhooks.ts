import { EVENT_TYPES } from '@keyport/core/events';
import { type Static, type TSchema, Type } from 'typebox';
import { CURSOR_QUERY } from '../envelope.ts';
import { after, DateTime, DateTimeInput, itemsPerPage, OrderId, Page, Uuid, UuidInput } from '../formats.ts';
import { BY_CREATION, flag, search, sortBy } from '../lists.ts';
import { rotateBody } from '../rotation.ts';
import {
  changeBody,
  count,
  namedObject,
  nullable,
  oneOf,
  openEnum,
  strictObject,
  toQuery,
} from '../schema.ts';
import { EVENT_RETENTION_DAYS } from './events.ts';

export const WEBHOOK_ENDPOINTS_MAX = 16;
export const REPLAYED_EVENTS_MAX = 100_000;
export const ALL_TYPES = '*';
const WEBHOOK_STATUSES = ['enabled', 'disabled'] as const;
export const DELIVERY_STATUSES = ['pending', 'delivered', 'failed'] as const;

/** Malformed ids get the response for unknown ids. */
const anyId = (description: string, example: string) =>
  Type.String({
    pattern: '^[A-Za-z0-9_-]{1,100}$',
    description,
    examples: [example],
    'x-rule': 'must be an id: letters, digits, _ and -, at most 100',
  });

const EXAMPLE_ENDPOINT_ID = 'whe_7c1tqk0m9w2v4x8z';
export const EndpointId = anyId('Id of the endpoint.', EXAMPLE_ENDPOINT_ID);
const EventIdInput = anyId('Id of the event.', 'evt_0000000000000042');
export const DeliveryId = anyId('Id of the delivery.', 'whd_7c1tqk0m9w2v4x8z_0000000000000042');

const UrlInput = Type.String({
  minLength: 1,
  maxLength: 2000,
  description:
    'The URL to which deliveries are sent: `https`, at a public address and without a user name. The sandbox also accepts `http`, and addresses of its own machine while its public URL is one of them.',
  examples: ['https://shop.example/keyport'],
  'x-rule': 'must be a URL of at most 2000 characters, such as https://shop.example/keyport',
});

const TypesInput = Type.Array(
  oneOf([ALL_TYPES, ...EVENT_TYPES], 'Type of event; `*` stands for all types, including future ones.'),
  {
    minItems: 1,
    maxItems: EVENT_TYPES.length + 1,
    description: 'The types of events that are delivered.',
    examples: [['order.complete', 'order.refunded']],
    'x-rule': `must be a list with 1 to ${EVENT_TYPES.length + 1} types of events, or ["*"]`,
  },
);

const DescriptionInput = nullable(
  Type.String({
    maxLength: 500,
    description: 'For your own use; at most 500 characters.',
    'x-rule': 'must be text of at most 500 characters',
  }),
);

export const WebhookEndpointCreateBody = strictObject({
  url: UrlInput,
  types: TypesInput,
  description: Type.Optional(DescriptionInput),
});

const StatusInput = oneOf(
  WEBHOOK_STATUSES,
  'Nothing is sent while the endpoint is disabled. Pending deliveries continue when it is enabled again.',
);

export const WebhookEndpointPatchBody = changeBody({
  url: UrlInput,
  types: TypesInput,
  description: DescriptionInput,
  status: StatusInput,
});

const ENDPOINT = {
  id: Type.String({ description: 'Id of the endpoint.', examples: [EXAMPLE_ENDPOINT_ID] }),
  url: Type.String({ description: 'The URL to which deliveries are sent.' }),
  types: Type.Array(openEnum([ALL_TYPES, ...EVENT_TYPES], 'Type of event; `*` stands for all.')),
  description: nullable(Type.String()),
  status: oneOf(WEBHOOK_STATUSES, 'Whether deliveries are sent.'),
  disabledReason: Type.Optional(
    Type.String({
      description: 'Absent while the endpoint is enabled.',
      examples: ['It returned 410 Gone.'],
    }),
  ),
  failingSince: Type.Optional(
    Type.String({
      ...DateTime,
      description:
        'The time since which every attempt has failed; absent otherwise. After 5 days the endpoint is disabled.',
    }),
  ),
  createdAt: DateTime,
};

export const WebhookEndpoint = namedObject('WebhookEndpoint', ENDPOINT);
export type WebhookEndpoint = Static<typeof WebhookEndpoint>;

const ENDPOINT_WITH_SECRET = {
  ...ENDPOINT,
  secret: Type.String({
    description: 'Signs deliveries. Shown only once; keep it safe.',
    examples: ['whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD'],
  }),
};

export const WebhookEndpointWithSecret = namedObject('WebhookEndpointWithSecret', ENDPOINT_WITH_SECRET);

export const RotatedWebhookEndpoint = namedObject('RotatedWebhookEndpoint', {
  ...ENDPOINT_WITH_SECRET,
  previousValidUntil: Type.String({
    ...DateTime,
    description: 'The time until which deliveries are also signed with the previous secret.',
  }),
});

export const WebhookRotateBody = rotateBody(
  'How long deliveries are also signed with the old secret; 0: not at all.',
);

export const WebhookTest = namedObject('WebhookTest', {
  eventId: Type.String({ description: 'Id of the `webhook.test` event.' }),
});

export const WebhookDeliveriesQuery = toQuery({
  status: oneOf(DELIVERY_STATUSES, 'Only deliveries with this status.'),
  eventId: EventIdInput,
  orderId: { ...OrderId, description: 'Only deliveries of this order.' },
  after: after(DeliveryId, 'delivery'),
  page: Page,
  itemsPerPage: itemsPerPage(100),
});

const ATTEMPT = {
  at: DateTime,
  durationMs: count('Duration of the attempt in milliseconds.'),
  statusCode: Type.Optional(Type.Integer({ description: 'HTTP status of the response, if any.' })),
  error: Type.Optional(
    Type.String({ description: 'Why the attempt failed.', examples: ['No response within 15 s.'] }),
  ),
  responseExcerpt: Type.Optional(Type.String({ description: 'The beginning of the response body.' })),
};

const OperatorWebhookAttempt = namedObject('OperatorWebhookAttempt', {
  ...ATTEMPT,
  address: Type.Optional(
    Type.String({ description: 'The address of the host, if it is not public. Resellers do not see it.' }),
  ),
});

export type WebhookAttempt = Static<typeof OperatorWebhookAttempt>;

const DELIVERY = {
  id: Type.String({ description: 'Id of the delivery.' }),
  eventId: Type.String({ description: 'Id of the event, sent as the header `webhook-id`.' }),
  type: openEnum(EVENT_TYPES, 'Type of the event.'),
  orderId: Type.Optional({ ...OrderId, description: 'Order of the event, if any.' }),
  status: oneOf(DELIVERY_STATUSES, '`failed`: there will be no further attempt.'),
  nextAttemptAt: Type.Optional(DateTime),
};

const toAttempts = <Attempt extends TSchema>(attempt: Attempt) =>
  Type.Array(attempt, { description: 'The last 20 attempts, oldest first.' });

export const WebhookDelivery = namedObject('WebhookDelivery', {
  ...DELIVERY,
  attempts: toAttempts(namedObject('WebhookAttempt', ATTEMPT)),
});

export const OperatorWebhookDelivery = namedObject('OperatorWebhookDelivery', {
  ...DELIVERY,
  attempts: toAttempts(OperatorWebhookAttempt),
});

export type WebhookDelivery = Static<typeof OperatorWebhookDelivery>;
export const WebhookReplayBody = strictObject({ from: DateTimeInput, to: DateTimeInput });

const QUEUED = { deliveries: count('The number of deliveries that will be sent.') };
export const WebhooksQueued = namedObject('WebhooksQueued', QUEUED);

export const WebhooksReplayed = namedObject('WebhooksReplayed', {
  ...QUEUED,
  eventsKeptFrom: Type.Optional({
    ...DateTime,
    description: `Only if \`from\` is earlier: the time before which events are no longer kept, so that none of them was replayed. Events are kept for ${EVENT_RETENTION_DAYS} days.`,
  }),
});

export const WebhookEndpointsQuery = toQuery({
  query: search('Words from the URL or the description, or an id.'),
  accountId: UuidInput,
  status: oneOf(WEBHOOK_STATUSES, 'Only endpoints with this status.'),
  failing: flag('true: only failing endpoints; false: only others.'),
  sort: sortBy(BY_CREATION),
  ...CURSOR_QUERY,
});

export const COUNTED_DELIVERIES_MAX = 1_000;

export const ListedWebhookEndpoint = namedObject('OperatorWebhookEndpoint', {
  ...WebhookEndpoint.properties,
  accountId: Uuid,
  accountName: Type.String(),
  pendingDeliveries: count(`Pending deliveries, counted up to ${COUNTED_DELIVERIES_MAX}.`),
  failedDeliveries: count(`Failed deliveries, counted up to ${COUNTED_DELIVERIES_MAX}.`),
});

export const WebhookStatusBody = strictObject({ status: StatusInput });
