/** A314. */
import { deepEqual, equal } from 'node:assert/strict';
import { test } from 'vitest';
import { type Place, SendCaps } from './send-caps.ts';

const MANY = 100;

function endpointsAt(host: string, count: number, first = 0): Place[] {
  return Array.from({ length: count }, (_, index) => ({ number: first + index, host }));
}

type Ends = ReturnType<SendCaps['begin']>[];

/** Begins what the caps allow if every endpoint has `due` deliveries. */
function fill(caps: SendCaps, places: readonly Place[], nowMs: number, due = MANY): Ends {
  const shares = new Map(
    caps
      .share(
        places.map((place) => ({ ...place, due })),
        nowMs,
      )
      .map(({ endpoint, count }) => [endpoint, count]),
  );
  return places.flatMap((place) =>
    Array.from({ length: shares.get(place.number) ?? 0 }, () => caps.begin(place, nowMs)),
  );
}

function end(ends: Ends, isDelivered: boolean, nowMs = 0): void {
  for (const one of ends) one(isDelivered, nowMs);
}

/** Each endpoint gets `limit` deliveries at a time from now on. */
function prove(caps: SendCaps, places: readonly Place[], limit: number): void {
  for (const place of places) for (let count = 1; count < limit; count += 1) caps.begin(place, 0)(true, 0);
}

test.each([
  ['every response is 2xx: doubles up to 32', [true, true, true, true, true, true], '1,2,4,8,16,32,32'],
  ['every delivery fails: one', [false, false], '1,1,1'],
  ['a failure after successes: all that were in progress count', [true, true, true, false], '1,2,4,8,1'],
] as const)('deliveries at a time, %s', (_, outcomes, expected) => {
  const caps = new SendCaps(() => 1);
  const places = endpointsAt('a', 1);
  const counts: number[] = [];
  let nowMs = 0;
  for (const isDelivered of [...outcomes, true]) {
    const ends = fill(caps, places, nowMs);
    counts.push(ends.length);
    end(ends, isDelivered, nowMs);
    nowMs += 1_000;
  }
  equal(counts.join(), expected);
});

test('one failure halves the number, and an endpoint that is down to one rests for a second', () => {
  const caps = new SendCaps(() => 1);
  const places = endpointsAt('a', 1);
  prove(caps, places, 32);
  const [first, ...others] = fill(caps, places, 0);
  first?.(false, 0);
  equal(fill(caps, places, 0).length, 0);
  end(others.slice(0, 16), true);
  equal(fill(caps, places, 0).length, 17);
  const failing = endpointsAt('b', 1, 1);
  end(fill(caps, failing, 0), false, 10);
  deepEqual([fill(caps, failing, 1_009).length, caps.listFull(1_009)], [0, [0, 1]]);
  equal(fill(caps, failing, 1_010).length, 1);
});

test.each([
  [1, 512, 128],
  [3, 171, 44],
])(
  '%i nodes: a host gets %i deliveries of each node, and each host has its own',
  (nodes, ofFirst, ofSecond) => {
    const caps = new SendCaps(() => nodes);
    const places = [...endpointsAt('a', 20), ...endpointsAt('b', 4, 20)];
    prove(caps, places, 32);
    const shares = caps.share(
      places.map((place) => ({ ...place, due: MANY })),
      0,
    );
    const ofHost = (isFirst: boolean) =>
      shares.reduce((sum, { endpoint, count }) => sum + (endpoint < 20 === isFirst ? count : 0), 0);
    deepEqual([ofHost(true), ofHost(false)], [ofFirst, ofSecond]);
  },
);

test.each([
  ['a host', endpointsAt('a', 600), 256],
  ['a node', Array.from({ length: 2_000 }, (_, number) => ({ number, host: String(number % 100) })), 500],
] as const)('endpoints that hang or fail get half of %s', (_, hanging, half) => {
  const caps = new SendCaps(() => 1);
  equal(fill(caps, hanging, 0).length, half);
  equal(fill(caps, hanging, 0).length, 0);
  const healthy = endpointsAt('a', 8, 9_000);
  prove(caps, healthy, 32);
  equal(fill(caps, healthy, 0).length, 256);
});

test('an endpoint that takes long to return 2xx gets more, but leaves half of the host to the others', () => {
  const caps = new SendCaps(() => 1);
  const slow = endpointsAt('a', 16);
  prove(caps, slow, 32);
  for (const place of slow) caps.begin(place, 0)(true, 1_000);
  equal(fill(caps, slow, 0).length, 256);
  const [first] = fill(caps, endpointsAt('b', 1, 500), 0);
  first?.(true, 15_000);
  equal(fill(caps, endpointsAt('b', 1, 500), 0).length, 2);
  equal(fill(caps, endpointsAt('a', 1, 600), 0).length, 0);
  const [quick] = [endpointsAt('a', 1, 700)];
  prove(caps, quick, 32);
  equal(fill(caps, quick, 0).length, 32);
});

test('a new endpoint comes before those that failed, and an idle one before a busy one', () => {
  const caps = new SendCaps(() => 1);
  const failing = endpointsAt('a', 256);
  const ends = fill(caps, failing, 0);
  equal(ends.length, 256);
  const fresh = endpointsAt('a', 1, 900);
  equal(fill(caps, [...failing, ...fresh], 0).length, 0);
  ends[0]?.(false, 0);
  const next = caps.share(
    [...failing, ...fresh].map((place) => ({ ...place, due: 1 })),
    5_000,
  );
  deepEqual(next, [{ endpoint: 900, count: 1 }]);

  const busy = endpointsAt('b', 16, 1_000);
  const idle = endpointsAt('b', 1, 2_000);
  prove(caps, [...busy, ...idle], 32);
  const underWay = fill(caps, busy, 0);
  equal(underWay.length, 512);
  underWay[0]?.(true, 0);
  deepEqual(
    caps.share(
      [...busy, ...idle].map((place) => ({ ...place, due: 1 })),
      0,
    ),
    [{ endpoint: 2_000, count: 1 }],
  );
});
