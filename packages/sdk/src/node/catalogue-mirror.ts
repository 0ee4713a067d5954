import { type FileHandle, open, stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import type { Product } from '../generated/reseller-contract.ts';
import type { Keyport, ProductChange } from '../keyport.ts';
import type { CallOptions } from '../options.ts';
import { JournalError, replaceFile, toCode } from './durable-files.ts';

const LIMIT = 1000;
/** Rewrites the file when its lines exceed twice the number of products by this many. */
const SPARE_LINES = 5000;

/** Options of a mirror. */
export interface MirrorOptions {
  /** `true` leaves out products that cannot be ordered. A file of the other value is read again from the beginning. */
  readonly orderable?: boolean | undefined;
}

/** Options of `sync`. */
export interface SyncOptions extends CallOptions {
  /** Seconds to wait for the first change, at most 30. */
  readonly wait?: number | undefined;
}

const CHUNK_LINES = 1000;

type State = { cursor: string; lines: number; sizeBytes: number };

/** Ends each write; anything after the last one belongs to an unfinished write. */
type Mark = { readonly cursor: string; readonly count: number };

/**
 * A copy of the catalogue, updated from the change feed. A crash leaves a complete copy, from before or after
 * a change. Only one process can use it at a time.
 *
 * @example
 * ```ts
 * const mirror = new CatalogueMirror(keyport, 'catalogue.ndjson', { orderable: true });
 * for (;;) {
 *   await mirror.sync({ wait: 25 });
 *   console.log(mirror.products.size, 'products');
 * }
 * ```
 */
export class CatalogueMirror {
  /** Products on offer by id, as of the last `sync`. */
  get products(): ReadonlyMap<string, Product> {
    return this.#products;
  }
  #products = new Map<string, Product>();
  readonly #keyport: Keyport;
  readonly #file: string;
  readonly #orderable: boolean | undefined;
  #state: State | undefined;
  #pending: Promise<void> | undefined;

  constructor(keyport: Keyport, file: string, { orderable }: MirrorOptions = {}) {
    this.#keyport = keyport;
    this.#orderable = orderable;
    this.#file = resolve(file);
  }

  /**
   * Applies all changes. The first call reads the file, or without one the whole catalogue. Concurrent calls
   * share one run.
   * @throws {@link JournalError} if the file is damaged: remove it, and the next call reads everything again.
   */
  sync(options: SyncOptions = {}): Promise<void> {
    this.#pending ??= this.#sync(options).finally(() => {
      this.#pending = undefined;
    });
    return this.#pending;
  }

  async #sync({ wait, ...options }: SyncOptions): Promise<void> {
    const state = this.#state ?? (await this.#load());
    this.#state = state;
    // Replaces the current copy when it is complete.
    let next: Map<string, Product> | undefined;
    let isFirst = true;
    let cursor = state.cursor;
    for (;;) {
      const from = {
        cursor: cursor === '' ? undefined : cursor,
        limit: LIMIT,
        orderable: this.#orderable,
        wait: isFirst ? wait : undefined,
      };
      const page = await readFirst(this.#keyport.products.changes(from, options).pages());
      isFirst = false;
      const { nextCursor, hasMore, restarted } = page.meta;
      if (restarted || cursor === '') next = new Map();
      cursor = nextCursor;
      if (next === undefined) await this.#append(state, page.data, cursor);
      else {
        for (const change of page.data) apply(next, change);
        if (!hasMore) {
          await this.#replace(state, next, cursor);
          next = undefined;
        }
      }
      if (!hasMore) break;
    }
    if (state.lines > 2 * this.products.size + SPARE_LINES)
      await this.#replace(state, this.#products, cursor);
  }

  async #load(): Promise<State> {
    const handle = await open(this.#file, 'r+').catch((error: unknown) => {
      if (toCode(error) === 'ENOENT') return undefined;
      throw error;
    });
    if (handle === undefined) return { cursor: '', lines: 0, sizeBytes: 0 };
    try {
      const { products, state } = await this.#read(handle);
      this.#products = products;
      return state;
    } finally {
      await handle.close();
    }
  }

  /** Reads up to the last mark, and removes an unfinished write after it. */
  async #read(handle: FileHandle): Promise<{ products: Map<string, Product>; state: State }> {
    const products = new Map<string, Product>();
    let state: State | undefined;
    let changes: ProductChange[] = [];
    let lines = 0;
    let sizeBytes = 0;
    for await (const line of wholeLines(handle)) {
      lines += 1;
      sizeBytes += Buffer.byteLength(line) + 1;
      const entry = this.#parseLine(line, lines);
      if (!('cursor' in entry)) {
        changes.push(entry);
        continue;
      }
      if (entry.count !== changes.length) throw this.#damaged(lines);
      for (const change of changes) apply(products, change);
      changes = [];
      state = { cursor: entry.cursor, lines, sizeBytes };
    }
    if (state === undefined) throw this.#damaged(lines + 1);
    await handle.truncate(state.sizeBytes);
    await handle.sync();
    return { products, state };
  }

  #parseLine(line: string, number: number): ProductChange | Mark {
    try {
      const entry = JSON.parse(line) as ProductChange | Mark;
      const isMark = 'cursor' in entry && typeof entry.cursor === 'string' && typeof entry.count === 'number';
      if (isMark || ('id' in entry && typeof entry.id === 'string')) return entry;
    } catch {
      // Thrown below.
    }
    throw this.#damaged(number);
  }

  #damaged(number: number): JournalError {
    return new JournalError(
      this.#file,
      `line ${number} is damaged, or this is not a file of CatalogueMirror. Remove the file: the next sync reads the whole catalogue.`,
    );
  }

  async #append(state: State, changes: readonly ProductChange[], cursor: string): Promise<void> {
    if (changes.length === 0 && cursor === state.cursor) return;
    const found = await stat(this.#file).catch(() => undefined);
    if (found?.size !== state.sizeBytes) {
      throw new JournalError(this.#file, 'another process has changed it. Use it in one process at a time.');
    }
    const text = [...toLines(changes, changes.length, cursor)].join('');
    const handle = await open(this.#file, 'a');
    try {
      await handle.writeFile(text);
      await handle.sync();
    } catch (error) {
      // The file's content is now unknown, so the next call reads it.
      this.#state = undefined;
      throw error;
    } finally {
      await handle.close();
    }
    for (const change of changes) apply(this.#products, change);
    state.cursor = cursor;
    state.lines += changes.length + 1;
    state.sizeBytes += Buffer.byteLength(text);
  }

  async #replace(state: State, products: Map<string, Product>, cursor: string): Promise<void> {
    state.sizeBytes = await replaceFile(this.#file, toLines(products.values(), products.size, cursor));
    state.lines = products.size + 1;
    state.cursor = cursor;
    this.#products = products;
  }
}

function apply(products: Map<string, Product>, change: ProductChange): void {
  if ('removed' in change) products.delete(change.id);
  else products.set(change.id, change);
}

function* toLines(changes: Iterable<ProductChange>, count: number, cursor: string): Generator<string> {
  let lines: string[] = [];
  for (const change of changes) {
    lines.push(`${JSON.stringify(change)}\n`);
    if (lines.length < CHUNK_LINES) continue;
    yield lines.join('');
    lines = [];
  }
  const mark: Mark = { cursor, count };
  yield `${lines.join('')}${JSON.stringify(mark)}\n`;
}

/** Skips an unfinished last line. */
async function* wholeLines(handle: FileHandle): AsyncGenerator<string> {
  const stream = handle.createReadStream({ encoding: 'utf8', autoClose: false, start: 0 });
  let rest = '';
  for await (const chunk of stream) {
    const lines = `${rest}${chunk}`.split('\n');
    rest = lines.pop() ?? '';
    yield* lines;
  }
}

async function readFirst<T>(pages: AsyncIterable<T>): Promise<T> {
  for await (const page of pages) return page;
  throw new Error('a feed has at least one page');
}
