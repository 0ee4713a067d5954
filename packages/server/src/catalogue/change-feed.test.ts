/**
 * A125, A127: node memories lag behind the database by any number of changes, and the database is
 * restored.
 */
import { deepEqual, equal, notEqual } from 'node:assert/strict';
import { Catalogue } from '@keyport/catalogue/catalogue';
import { decodeCursor } from '@keyport/catalogue/change-cursor';
import { ChangeFeed } from '@keyport/catalogue/change-feed';
import { type CatalogueProduct, prepareProduct } from '@keyport/catalogue/render';
import { must } from '@keyport/core/assert';
import { formatDateTime } from '@keyport/core/date-time';
import fc from 'fast-check';
import { type TestContext, test } from 'vitest';
import { type ChangesBody, FeedReader } from '../../test/support/feed-reader.ts';

const NODE_COUNT = 2;
const FIRST_STAMP = 1_795_000_000_000_000;

type Stored = { readonly products: ReadonlyMap<number, CatalogueProduct>; readonly lastStampMicros: number };

class World {
  products = new Map<number, CatalogueProduct>();
  lastStampMicros = FIRST_STAMP;
  epochCount = 0;
  isDatabaseUnreachable = false;
  /** The filter of the reader. */
  orderableOnly = false;
  #backup: Stored = { products: new Map(), lastStampMicros: FIRST_STAMP };
  nodes: readonly { readonly catalogue: Catalogue; readonly feed: ChangeFeed }[] = [];

  readonly loadClock = async () => {
    if (this.isDatabaseUnreachable) throw new Error('the database is unreachable');
    return { epoch: this.epoch, lastStampMicros: this.lastStampMicros };
  };

  get epoch(): string {
    return `00000000-0000-4000-8000-${String(this.epochCount).padStart(12, '0')}`;
  }

  async startNodes(): Promise<void> {
    this.close();
    this.nodes = Array.from({ length: NODE_COUNT }, () => {
      const catalogue = new Catalogue();
      const ignore = () => {};
      const ports = { loadClock: this.loadClock, onNews: ignore, onUnchecked: ignore };
      return { catalogue, feed: new ChangeFeed({ catalogue, ...ports }) };
    });
    for (const { catalogue, feed } of this.nodes) {
      this.pull(catalogue, Number.POSITIVE_INFINITY);
      await feed.start();
    }
  }

  close(): void {
    for (const { feed } of this.nodes) feed.close();
  }

  change(id: number, isListed: boolean, isOrderable = true): void {
    this.lastStampMicros += 1;
    const stampMicros = this.lastStampMicros;
    const firstStampMicros = this.products.get(id)?.firstStampMicros ?? stampMicros;
    const offer = { id: '0b7e9c1e-53a4-4c9e-9f0f-6a4ce5f0d111', priceMinor: stampMicros % 1000, quantity: 1 };
    const offers = isListed ? [offer] : [];
    const name = `Product ${id}`;
    const stamps = { stampMicros, firstStampMicros };
    this.products.set(id, { id, name, isOrderable, ...stamps, detailsVersion: 1, offers });
  }

  pull(catalogue: Catalogue, count: number): void {
    const changed = [...this.products.values()]
      .filter(({ stampMicros }) => stampMicros > catalogue.newestStampMicros)
      .sort((one, other) => one.stampMicros - other.stampMicros);
    const taken = changed.slice(0, count);
    if (taken.length === 0) return;
    catalogue.admit(changed);
    catalogue.apply(taken.map(prepareProduct));
  }

  backUp(): void {
    this.#backup = { products: new Map(this.products), lastStampMicros: this.lastStampMicros };
  }

  /** Loses everything since the backup; an operator begins a new epoch. */
  async restore(): Promise<void> {
    this.products = new Map(this.#backup.products);
    this.epochCount += 1;
    await this.startNodes();
  }

  listed(): string[] {
    const listed = [...this.products.values()].filter(
      ({ offers, isOrderable }) => offers.length > 0 && (isOrderable || !this.orderableOnly),
    );
    return listed.map(({ id, stampMicros }) => `${id} ${formatDateTime(stampMicros)}`).sort();
  }
}

const id = fc.integer({ min: 10_000_000_000_001, max: 10_000_000_000_012 });
const node = fc.nat({ max: NODE_COUNT - 1 });
const steps = fc.array(
  fc.oneof(
    {
      weight: 6,
      arbitrary: fc.record({
        kind: fc.constant('change'),
        id,
        isListed: fc.boolean(),
        isOrderable: fc.boolean(),
      }),
    },
    { weight: 4, arbitrary: fc.record({ kind: fc.constant('pull'), node, count: fc.nat({ max: 5 }) }) },
    {
      weight: 8,
      arbitrary: fc.record({
        kind: fc.constant('read'),
        node,
        limit: fc.integer({ min: 1, max: 4 }),
        isLost: fc.boolean(),
      }),
    },
    { weight: 1, arbitrary: fc.record({ kind: fc.constant('filter'), orderableOnly: fc.boolean() }) },
    { weight: 1, arbitrary: fc.record({ kind: fc.constant('new epoch') }) },
    { weight: 1, arbitrary: fc.record({ kind: fc.constant('back up') }) },
    { weight: 1, arbitrary: fc.record({ kind: fc.constant('restore') }) },
    { weight: 1, arbitrary: fc.record({ kind: fc.constant('database'), isUnreachable: fc.boolean() }) },
  ),
  { maxLength: 60 },
);

async function read(
  world: World,
  reader: FeedReader,
  asked: { node: number; limit: number; isLost: boolean },
) {
  const { feed } = must(world.nodes[asked.node], 'a node');
  const cursor = reader.cursor === undefined ? undefined : decodeCursor(reader.cursor);
  const start = await feed.startAt(cursor, world.orderableOnly);
  if (start.restarted && cursor?.orderableOnly === world.orderableOnly)
    notEqual(cursor.epoch, world.epoch, 'a valid cursor never restarts');
  const { bytes } = feed.read(start, asked.limit);
  const response: ChangesBody = JSON.parse(`{"data":${bytes}`);
  if (!asked.isLost) reader.take(response);
  return response;
}

test('a reader that moves between lagging nodes ends with exactly the products on offer', async () => {
  await fc.assert(
    fc.asyncProperty(steps, async (script) => {
      const world = new World();
      const reader = new FeedReader();
      await world.startNodes();
      try {
        for (const step of script) await take(world, reader, step);
        world.isDatabaseUnreachable = false;
        for (const { catalogue } of world.nodes) world.pull(catalogue, Number.POSITIVE_INFINITY);
        for (let turn = 0, isDone = false; !isDone; turn += 1) {
          const response = await read(world, reader, { node: turn % NODE_COUNT, limit: 3, isLost: false });
          isDone = response.data.length === 0 && !response.meta.hasMore;
        }
        const known = reader.known().map(({ id, updatedAt }) => `${id} ${updatedAt}`);
        deepEqual(known, world.listed());
      } finally {
        world.close();
      }
    }),
    { numRuns: 500 },
  );
});

type Step = typeof steps extends fc.Arbitrary<(infer One)[]> ? One : never;

async function take(world: World, reader: FeedReader, step: Step): Promise<void> {
  if ('isListed' in step) world.change(step.id, step.isListed, step.isOrderable);
  else if ('count' in step) world.pull(must(world.nodes[step.node], 'a node').catalogue, step.count);
  else if ('limit' in step) await read(world, reader, step);
  else if ('orderableOnly' in step) world.orderableOnly = step.orderableOnly;
  else if ('isUnreachable' in step) world.isDatabaseUnreachable = step.isUnreachable;
  else if (step.kind === 'new epoch') world.epochCount += 1;
  else if (step.kind === 'back up') world.backUp();
  else if (!world.isDatabaseUnreachable) await world.restore();
}

/** A node that has applied `appliedCount` changes to a product each; the database has `storedCount`. */
async function nodeWith(
  t: TestContext,
  options: { readonly appliedCount: number; readonly storedCount: number },
): Promise<{ readonly world: World; readonly feed: ChangeFeed }> {
  const world = new World();
  for (let count = 0; count < options.appliedCount; count += 1)
    world.change(10_000_000_000_001 + count, true);
  await world.startNodes();
  t.onTestFinished(() => world.close());
  world.lastStampMicros = FIRST_STAMP + options.storedCount;
  return { world, feed: must(world.nodes[0], 'a node').feed };
}

test('a node behind the cursor of a reader returns nothing and hasMore', async (t) => {
  const { world, feed } = await nodeWith(t, { appliedCount: 3, storedCount: 5 });
  const cursor = {
    epoch: world.epoch,
    startedMicros: FIRST_STAMP + 5,
    afterMicros: FIRST_STAMP + 1,
    orderableOnly: false,
  };
  const start = await feed.startAt(cursor, false);
  const { data, meta } = JSON.parse(`{"data":${feed.read(start, 100).bytes}`);
  deepEqual([data, meta.hasMore, meta.restarted, decodeCursor(meta.nextCursor)], [[], true, false, cursor]);
});

test('a cursor is checked against a clock that was loaded after the cursor arrived', async (t) => {
  const { world, feed } = await nodeWith(t, { appliedCount: 1, storedCount: 1 });
  const early = feed.checkEpoch();
  world.lastStampMicros += 1;
  const cursor = {
    epoch: world.epoch,
    startedMicros: 0,
    afterMicros: world.lastStampMicros,
    orderableOnly: false,
  };
  equal((await feed.startAt(cursor, false)).restarted, false);
  await early;
  const ahead = { ...cursor, afterMicros: world.lastStampMicros + 1 };
  equal((await feed.startAt(ahead, false)).restarted, true);
});

test('readers that started at different times share a page at the same position', async (t) => {
  const { world, feed } = await nodeWith(t, { appliedCount: 3, storedCount: 3 });
  const { catalogue } = must(world.nodes[0], 'a node');
  const readOn = async (cursor: string | undefined) => {
    const start = await feed.startAt(cursor === undefined ? undefined : decodeCursor(cursor), false);
    const response = feed.read(start, 100);
    const body: ChangesBody = JSON.parse(`{"data":${response.bytes}`);
    return { response, next: body.meta.nextCursor };
  };
  const early = await readOn(undefined);
  world.change(10_000_000_000_002, false);
  world.pull(catalogue, 1);
  const caughtUp = await readOn(early.next);
  const late = await readOn(undefined);
  equal(caughtUp.next, late.next);
  world.change(10_000_000_000_003, false);
  world.pull(catalogue, 1);
  equal((await readOn(caughtUp.next)).response, (await readOn(late.next)).response);
});
