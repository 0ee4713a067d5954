/**
 * The Keyport client for resellers: the catalogue and its changes, orders that are placed once, keys, events and webhooks.
 *
 * @packageDocumentation
 */
// biome-ignore-all lint/performance/noBarrelFile: the entry of a published package

export { type AnswerBody, BaseClient, type RequestInput } from './client.ts';
export type {
  AccountBalanceLowEvent,
  AccountStatusChangedEvent,
  ClaimDecidedEvent,
  ClientChangedEvent,
  EventOf,
  KeyportEvent,
  OrderKeysExpiringEvent,
  OrderRefundedEvent,
  OrderStatusEvent,
  ReservationExpiredEvent,
  WebhookTestEvent,
} from './events.ts';
export { Feed, type FeedPage, type WithCursor } from './feeds.ts';
export type * from './generated/reseller-contract.ts';
export { Sandbox } from './generated/sandbox-methods.ts';
export {
  Events,
  type EventsQuery,
  Keyport,
  type OrderRequest,
  Orders,
  OwnAccount,
  type ProductChange,
  Products,
  type ReturnInput,
} from './keyport.ts';
export type { CallOptions, KeyportOptions, ReceivedResponse, SentRequest } from './options.ts';
export { type Answered, Call, ListCall } from './requests/call.ts';
export {
  type ErrorData,
  KeyportConnectionError,
  KeyportError,
  type KeyportErrorOf,
  type KeyportErrorParts,
  KeyportTimeoutError,
  type KnownErrorCode,
} from './requests/errors.ts';
export { type Cursor, CursorList, type CursorPage, type Page, PagedList } from './requests/lists.ts';
export type { StreamInit } from './requests/transport.ts';
export { type ClaimInput, Claims } from './resources/claims.ts';
export { type ClientChange, Clients } from './resources/clients.ts';
export { RequestLog } from './resources/request-log.ts';
export { type ReservationRequest, Reservations } from './resources/reservations.ts';
export {
  type WebhookEndpointChange,
  type WebhookEndpointInput,
  WebhookEndpoints,
} from './resources/webhook-endpoints.ts';
export {
  verifyWebhook,
  type WebhookHeaders,
  type WebhookInput,
  type WebhookProblem,
  WebhookVerificationError,
} from './verify-webhook.ts';
