/**
 * The Keyport client for resellers: the catalogue and its changes, orders that are placed once, keys, events
 * and webhooks.
 *
 * @packageDocumentation
 */
// biome-ignore-all lint/performance/noBarrelFile: the entry of a published package

export { type AnswerBody, BaseClient, type RequestInput } from './client.ts';
export type * from './events.ts';
export { Feed, type FeedPage, type WithCursor } from './feeds.ts';
export type * from './generated/reseller-contract.ts';
export { Sandbox } from './generated/sandbox-methods.ts';
export * from './keyport.ts';
export type { CallOptions, KeyportOptions, ReceivedResponse, SentRequest } from './options.ts';
export { type Answered, Call, ListCall } from './requests/call.ts';
export * from './requests/errors.ts';
export { type Cursor, CursorList, type CursorPage, type Page, PagedList } from './requests/lists.ts';
export type { StreamInit } from './requests/transport.ts';
export { type ClaimInput, Claims } from './resources/claims.ts';
export { type ClientChange, Clients } from './resources/clients.ts';
export { RequestLog } from './resources/request-log.ts';
export { type ReservationRequest, Reservations } from './resources/reservations.ts';
export * from './resources/webhook-endpoints.ts';
export * from './verify-webhook.ts';
