/**
 * The client of Keyport for resellers: the catalogue and its changes, orders that are placed once, keys, events and webhooks.
 *
 * @packageDocumentation
 */
// biome-ignore-all lint/performance/noBarrelFile: the entry of a published package
export { type Answered, Call, ListCall } from './call.ts';
export * from './errors.ts';
export type * from './events.ts';
export { Feed, type FeedPage, type WithCursor } from './feeds.ts';
export {
  Events,
  type EventsQuery,
  Keyport,
  Orders,
  OwnAccount,
  type ProductChange,
  Products,
} from './keyport.ts';
export { type Page, PagedList } from './lists.ts';
export type { CallOptions, KeyportOptions } from './options.ts';
export type * from './reseller-contract.ts';
export * from './verify-webhook.ts';
export * from './webhook-endpoints.ts';
