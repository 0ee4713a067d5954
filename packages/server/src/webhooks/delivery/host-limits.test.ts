/** A491. */
import { equal } from 'node:assert/strict';
import { test } from 'vitest';
import { EndpointLane } from './endpoint-lane.ts';
import { HostLimits } from './host-limits.ts';

const SLOW_MS = 1_000;

function lanesAt(host: string, count: number): EndpointLane[] {
  return Array.from({ length: count }, (_, index) => {
    const lane = new EndpointLane(index, 0);
    lane.host = host;
    return lane;
  });
}

/** Returns the number of deliveries that begin, per host. */
function fill(limits: HostLimits, lanes: readonly EndpointLane[], nowMs: number): Record<string, number> {
  const hosts = limits.count(lanes, nowMs, SLOW_MS);
  const begun: Record<string, number> = {};
  for (let round = 0; round < 32; round += 1) {
    for (const lane of lanes) {
      if (lane.roomAt(nowMs) === 0 || !hosts.hasRoom(lane)) continue;
      hosts.begin(lane);
      lane.begin(`${nowMs}/${round}`, nowMs);
      begun[lane.host] = (begun[lane.host] ?? 0) + 1;
    }
  }
  return begun;
}

test('a host has room for eight deliveries, one more per 2xx up to 256, and fewer if it only fails', () => {
  const limits = new HostLimits();
  const limitOf = () => fill(limits, lanesAt('a', 100), 0)['a'];
  equal(limitOf(), 8);
  for (let count = 0; count < 300; count += 1) limits.note('a', true, 0);
  equal(limitOf(), 256);
  for (let count = 0; count < 300; count += 1) limits.note('a', false, 1_000);
  equal(limitOf(), 256);
  for (let count = 0; count < 300; count += 1) limits.note('a', false, 1_001);
  equal(limitOf(), 8);
});

test('nodes share the limit of a host, and each host has its own', () => {
  const limits = new HostLimits();
  limits.nodeCount = 3;
  const begun = fill(limits, [...lanesAt('a', 20), ...lanesAt('b', 20)], 0);
  equal(JSON.stringify(begun), '{"a":3,"b":3}');
});

test('hanging requests leave room for as many others, but only to other endpoints', () => {
  const limits = new HostLimits();
  const hanging = lanesAt('a', 20);
  equal(fill(limits, hanging, 0)['a'], 8);
  equal(fill(limits, hanging, 500)['a'], undefined);
  equal(fill(limits, hanging, 1_001)['a'], 8);
  const healthy = lanesAt('a', 20);
  equal(fill(limits, [...hanging, ...healthy], 2_002)['a'], 8);
});

test('failing endpoints leave half of the room to the others', () => {
  const limits = new HostLimits();
  const failing = lanesAt('a', 20);
  for (const lane of failing) lane.end('x', false, 0);
  equal(fill(limits, failing, 0)['a'], 4);
  equal(fill(limits, [...failing, ...lanesAt('a', 20)], 0)['a'], 4);
});
