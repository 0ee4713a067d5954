/**
 * The messages of an exchange are recorded once, then the action is repeated for every message, every
 * position and every way to break there.
 */
import assert from 'node:assert/strict';
import { createTemplate, type Owner, onEnd } from '../../../packages/server/test/support/database.ts';
import { isPostgresAvailable, startPostgres } from '../../../packages/server/test/support/postgres.ts';
import type { Report, Run } from '../scenario.ts';
import type { Direction } from './cuts-framing.ts';
import { type Lane, openLane, type Subject } from './cuts-lane.ts';
import { CUT_KINDS, CUT_POSITIONS, type Cut, type CutConnection } from './cuts-proxy.ts';

type Recording = Readonly<Record<Direction, readonly string[]>>;

type CutCase = { readonly cut: Cut; readonly on: CutConnection; readonly recording: Recording };

const DIRECTIONS: readonly Direction[] = ['to-server', 'to-node'];

/** Each lane takes seconds to start. */
const LANE_COUNT = 8;
const SAMPLE_LANE_COUNT = 4;

/** Each case takes some actions besides the one that is cut. */
const ACTIONS_PER_CASE = 4;
const SPARE_ACTIONS = 100;

const ATTEMPTS_MAX = 20;

const PROGRESS_EVERY = 100;

const SAMPLE_SIZE = 96;

export function postgresIsMissing(): string | undefined {
  return isPostgresAvailable() ? undefined : 'there are no binaries of PostgreSQL for this platform';
}

/** Makes the cuts in a different order each time. */
export async function cutEverywhere(run: Run, subject: Subject): Promise<Report> {
  const lanes = await openLanes(run, subject);
  const recordings = new Map<CutConnection, Recording>();
  for (const on of subject.connections) recordings.set(on, await recordAlike(lanes, on));
  const all = [...recordings].flatMap(([on, recording]) =>
    listCuts(recording).map((cut): CutCase => ({ cut, on, recording })),
  );
  const rounds = Array.from({ length: run.count }, () => run.random.shuffled(all)).flat();
  const cases = run.isSample ? rounds.slice(0, SAMPLE_SIZE) : rounds;
  for (const lane of lanes) lane.shortenDeadlines();
  const startedAt = performance.now();
  const responses: Record<string, number> = {};
  let doneCount = 0;
  await forEachOnLanes(lanes, cases, async (lane, one) => {
    const steps = await runCut(lane, one);
    const name = `${one.cut.kind}: ${steps.filter((word, index) => steps[index - 1] !== word).join(' ')}`;
    responses[name] = (responses[name] ?? 0) + 1;
    doneCount += 1;
    if (doneCount % PROGRESS_EVERY === 0) run.progress(`${doneCount} of ${cases.length} cuts`);
  });
  const seconds = Math.round((performance.now() - startedAt) / 1000);
  for (const lane of lanes) await lane.verify();
  if (run.isSample) {
    assert.equal(doneCount, SAMPLE_SIZE);
    return { cuts: doneCount, seconds, responses: sortByCount(responses) };
  }
  const streams = [...recordings.values()].flatMap((one) => DIRECTIONS.map((way) => one[way].length));
  const messages = streams.reduce((sum, length) => sum + length, 0);
  const places = 2 * messages + streams.length;
  assert.equal(doneCount, places * CUT_KINDS.length * run.count, 'every cut at every place happened');
  return { messages, places, cuts: doneCount, seconds, responses: sortByCount(responses) };
}

async function openLanes({ owner, count, isSample }: Run, subject: Subject): Promise<Lane[]> {
  const serverUrl = await startServer(owner);
  const laneCount = isSample ? SAMPLE_LANE_COUNT : LANE_COUNT;
  const actionCountMax = SPARE_ACTIONS + ACTIONS_PER_CASE * count * Math.ceil(CASES_MAX / LANE_COUNT);
  const lanes: Lane[] = [];
  // Lanes start in turn, because many that start together may be too slow.
  while (lanes.length < laneCount) lanes.push(await openLane(owner, subject, { serverUrl, actionCountMax }));
  return lanes;
}

/** No subject has more cases; only the stock depends on this. */
const CASES_MAX = 1600;

async function startServer(owner: Owner): Promise<string> {
  const server = await startPostgres({ durable: false, settings: { max_connections: '400' } });
  onEnd(owner, () => server.stop());
  await createTemplate(server.url);
  return server.url;
}

/** Every lane must send the same messages. */
async function recordAlike(lanes: readonly Lane[], on: CutConnection): Promise<Recording> {
  const recordings: Recording[] = [];
  for (const lane of lanes) recordings.push((await doWatched(lane, { on })).watch.messages);
  const [recording] = recordings;
  assert.ok(recording !== undefined);
  for (const other of recordings) assert.deepEqual(other, recording, 'all lanes send the same messages');
  return recording;
}

/** Repeats the action until it used a connection of this kind and was cut. */
async function doWatched(lane: Lane, { on, cut }: { readonly on: CutConnection; readonly cut?: Cut }) {
  for (let attempt = 0; attempt < ATTEMPTS_MAX; attempt += 1) {
    if (on === 'first') await lane.forgetConnections();
    if (on === 'later' && lane.proxy.usedConnections() === 0) await lane.action(() => {});
    const watch = lane.proxy.watch(cut === undefined ? { on } : { on, cut });
    const steps = await lane.action(lane.proxy.unwatch);
    // On a busy machine a node may give up before it reaches the place.
    if (watch.hasBegun && (cut === undefined || watch.isCut)) return { watch, steps };
  }
  assert.fail('the exchange never reached the place of the cut');
}

/** Every boundary between messages, and the middle of each message. */
function listCuts(recording: Recording): Cut[] {
  const positionsAt = (isLast: boolean) => CUT_POSITIONS.filter((position) => position !== 'after' || isLast);
  return DIRECTIONS.flatMap((direction) =>
    recording[direction].flatMap((_, messageIndex) =>
      positionsAt(messageIndex === recording[direction].length - 1).flatMap((position) =>
        CUT_KINDS.map((kind): Cut => ({ direction, messageIndex, position, kind })),
      ),
    ),
  );
}

async function runCut(lane: Lane, { cut, on, recording }: CutCase): Promise<readonly number[]> {
  const { kind, position, messageIndex, direction } = cut;
  try {
    const { watch, steps } = await doWatched(lane, { on, cut });
    const expected = recording[direction].slice(0, messageIndex + 1);
    assert.deepEqual(watch.messages[direction], expected, 'the exchange is the recorded one');
    return steps;
  } catch (cause) {
    const place = `message ${messageIndex} (${recording[direction][messageIndex]}) ${direction}`;
    const reason = cause instanceof Error ? (cause.stack ?? cause.message) : String(cause);
    throw new Error(`${kind} ${position} ${place}, ${on} on its connection: ${reason}`, { cause });
  }
}

async function forEachOnLanes<Case>(
  lanes: readonly Lane[],
  cases: readonly Case[],
  work: (lane: Lane, one: Case) => Promise<void>,
): Promise<void> {
  const queue = [...cases];
  await Promise.all(
    lanes.map(async (lane) => {
      for (let one = queue.shift(); one !== undefined; one = queue.shift()) {
        try {
          await work(lane, one);
        } catch (error) {
          queue.length = 0;
          throw error;
        }
      }
    }),
  );
}

function sortByCount(counts: Readonly<Record<string, number>>): Record<string, number> {
  return Object.fromEntries(Object.entries(counts).sort(([, one], [, other]) => other - one));
}
