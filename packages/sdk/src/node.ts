/**
 * For Node, Deno and Bun, which can write files: orders and reservations made once even if the program
 * crashes, and a copy of the catalogue.
 *
 * @packageDocumentation
 */
// biome-ignore-all lint/performance/noBarrelFile: the entry of a published package
export { CatalogueMirror, type MirrorOptions, type SyncOptions } from './node/catalogue-mirror.ts';
export { JournalError } from './node/durable-files.ts';
export { createOrderOnce, createReservationOnce } from './node/once.ts';
