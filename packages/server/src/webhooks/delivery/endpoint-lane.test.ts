/** A314. */
import { equal, ok } from 'node:assert/strict';
import { test } from 'vitest';
import { EndpointLane } from './endpoint-lane.ts';

/** Returns how many deliveries the lane allows at this time. */
function fill(lane: EndpointLane, nowMs: number, isDelivered: boolean): number {
  const count = lane.roomAt(nowMs);
  for (let index = 0; index < count; index += 1) lane.begin(`${nowMs}/${index}`, nowMs);
  equal(lane.roomAt(nowMs), 0);
  for (let index = 0; index < count; index += 1) lane.end(`${nowMs}/${index}`, isDelivered, nowMs);
  return count;
}

test('a receiver that responds gets more concurrent deliveries, up to 32', () => {
  const lane = new EndpointLane(1, 0);
  const counts = Array.from({ length: 6 }, (_, round) => fill(lane, round, true));
  equal(counts.join(), '4,8,16,32,32,32');
});

test('a failing receiver gets two deliveries a second, and full speed soon after it recovers', () => {
  const lane = new EndpointLane(1, 0);
  for (let round = 0; round < 4; round += 1) fill(lane, round, true);
  let sent = 0;
  for (let nowMs = 10; nowMs < 10_010; nowMs += 20) sent += fill(lane, nowMs, false);
  ok(sent <= 32 + 20, `${sent} in ten seconds`);
  ok(lane.isFailing);
  const recovered = [20_000, 20_001, 20_002, 20_003].map((nowMs) => fill(lane, nowMs, true));
  equal(recovered.join(), '2,4,8,16');
  ok(!lane.isFailing);
});

test('the lane is idle if nothing was sent or recorded for a while', () => {
  const lane = new EndpointLane(1, 0);
  lane.begin('a', 100);
  equal(lane.isIdle(10_000, 5_000), false);
  equal(lane.countSlow(1_200, 1_000), 1);
  lane.end('a', true, 10_000);
  equal(lane.isIdle(14_999, 5_000), false);
  equal(lane.isIdle(15_000, 5_000), true);
});
