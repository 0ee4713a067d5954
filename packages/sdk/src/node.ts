/**
 * For Node, Deno and Bun, which have files: orders that are placed once even if the program crashes, and a copy of the
 * catalogue.
 *
 * @packageDocumentation
 */
// biome-ignore-all lint/performance/noBarrelFile: the entry of a published package
export { CatalogueMirror, type SyncOptions } from './node/catalogue-mirror.ts';
export { createOrderOnce } from './node/create-order-once.ts';
export { JournalError } from './node/journal-error.ts';
