/**
 * For Node, Deno and Bun, which have files: orders and reservations that are made once even if the program crashes, and a copy
 * of the catalogue.
 *
 * @packageDocumentation
 */
// biome-ignore-all lint/performance/noBarrelFile: the entry of a published package
export { CatalogueMirror, type SyncOptions } from './node/catalogue-mirror.ts';
export { createOrderOnce } from './node/create-order-once.ts';
export { createReservationOnce } from './node/create-reservation-once.ts';
export { JournalError } from './node/journal-error.ts';
