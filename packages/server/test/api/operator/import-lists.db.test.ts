/** A130. */
import { deepEqual, equal, match, ok } from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { test } from 'vitest';
import { sql } from '../../../src/db/sql.ts';
import { startHarness } from '../../support/harness.ts';
import { callImport, importAll } from '../../support/import-call.ts';
import { readList } from '../../support/lists.ts';
import { seedPerson } from '../../support/person.ts';
import { wholeFile } from '../../support/vitest.ts';
import { waitUntil } from '../../support/webhook-receiver.ts';

const h = await startHarness(wholeFile);
const to = (target: string) => ({ url: h.url, token: h.operatorToken, target });
const get = (path: string, headers = {}) =>
  h.call('GET', `/admin/v1${path}`, { token: h.operatorToken, headers });
const find = async (runId: string) => (await readList(h, `/imports?runId=${runId}`))[0];
const sellers = (count: number) =>
  Array.from({ length: count }, () => `{"id":"${randomUUID()}","name":"Seller"}\n`).join('');

async function runImport(target: string, body: string): Promise<string> {
  const { result } = await importAll(to(target), body);
  ok(result !== undefined);
  return result.runId;
}

test('an import is listed with its counts, its state and its operator', async () => {
  const importId = randomUUID();
  const runId = await runImport(`sellers?importId=${importId}`, `${sellers(3)}{"id":1}\n`);
  const [run, ...others] = await readList(h, `/imports?importId=${importId}`);
  deepEqual(others, []);
  const { startedAt, endedAt, ...rest } = run;
  ok(startedAt <= endedAt);
  deepEqual(rest, {
    id: runId,
    importId,
    kind: 'sellers',
    dryRun: false,
    deleteMissing: false,
    state: 'completed',
    clientId: 'test-operator',
    name: 'First operator',
    fileName: null,
    line: 4,
    read: 4,
    written: 3,
    unchanged: 0,
    rejected: 1,
    rejectsKept: 1,
    removed: 0,
    restored: 0,
    canUndo: false,
    undoneAt: null,
  });
  deepEqual(await readList(h, `/imports?runId=${runId}`), [run]);
  deepEqual(await readList(h, '/imports?runId=999999999'), []);
});

test('an import is listed after its first batch and is the same run when it is sent again', async () => {
  const importId = randomUUID();
  const call = callImport(to(`sellers?importId=${importId}`));
  const lines = sellers(1_500);
  await call.send(lines);
  await call.stored(1_000);
  const [running] = await readList(h, `/imports?importId=${importId}&state=running`);
  deepEqual([running.state, running.endedAt, running.line, running.written], ['running', null, 1_000, 1_000]);
  call.cut();
  const stopped = await waitUntil(async () => {
    const [one] = await readList(h, `/imports?importId=${importId}&state=stopped`);
    return one;
  }, 'the end of the import');
  ok(stopped.endedAt !== null);
  equal(await runImport(`sellers?importId=${importId}`, lines), running.id);
  equal((await find(running.id)).state, 'completed');
});

test('rejected lines, even of a dry run, are listed in their order and as a CSV file', async () => {
  const body = `${sellers(1)}{"id":1}\n${'{"name":"=1+1"}\n'.repeat(2)}${sellers(1)}not json\n`;
  for (const target of ['sellers', 'sellers?dryRun=true']) {
    const runId = await runImport(target, body);
    const rejects = await readList(h, `/imports/${runId}/rejects`);
    deepEqual(
      rejects.map(({ line }) => line),
      [2, 3, 4, 6],
    );
    ok(rejects.every(({ message }) => message.length > 0));
    const response = await fetch(`${h.url}/admin/v1/imports/${runId}/rejects`, {
      headers: { authorization: `Bearer ${h.operatorToken}`, accept: 'text/csv' },
    });
    const text = await response.text();
    deepEqual(
      [response.status, response.headers.get('content-disposition')],
      [200, 'attachment; filename="import-rejects.csv"'],
    );
    const [header, ...records] = text.trimEnd().split('\r\n');
    equal(header, 'line,message');
    deepEqual(
      records.map((record) => Number(record.split(',')[0])),
      [2, 3, 4, 6],
    );
  }
  equal((await get('/imports/999999999/rejects')).status, 404);
});

test('at most 10,000 rejected lines are kept over all requests of an import', async () => {
  const importId = randomUUID();
  const target = `sellers?importId=${importId}`;
  const lines = '{}\n'.repeat(12_000);
  const call = callImport(to(target));
  await call.send('{}\n'.repeat(9_500));
  await call.stored(9_000);
  call.cut();
  await waitUntil(
    async () => (await readList(h, `/imports?importId=${importId}&state=stopped`))[0],
    'the end',
  );
  const runId = await runImport(target, lines);
  const { rejected, rejectsKept } = await find(runId);
  deepEqual([rejected, rejectsKept], [12_000, 10_000]);
  equal((await readList(h, `/imports/${runId}/rejects`, 1000)).at(-1)?.line, 10_000);
  // The next import removes lines that are a month old.
  await sql`UPDATE import_run SET held_until = held_until - interval '31 days' WHERE number = ${runId}::bigint`.execute(
    h.database.db,
  );
  await sql`UPDATE import_run SET held_until = held_until - interval '31 days' WHERE number < ${runId}::bigint`.execute(
    h.database.db,
  );
  await runImport('sellers', sellers(1));
  equal((await find(runId)).rejectsKept, 0);
});

test('imports are filtered by kind and kind of run, newest or oldest first', async () => {
  await runImport('products', '{}\n');
  const all = await readList(h, '/imports', 3);
  deepEqual(
    all.map(({ id }) => Number(id)),
    all.map(({ id }) => Number(id)).toSorted((one, other) => other - one),
  );
  deepEqual(await readList(h, '/imports?sort=startedAt', 3), all.toReversed());
  for (const [query, fits] of [
    ['kind=products', (run: { kind: string }) => run.kind === 'products'],
    ['dryRun=true', (run: { dryRun: boolean }) => run.dryRun],
    ['dryRun=false', (run: { dryRun: boolean }) => !run.dryRun],
    ['state=completed', (run: { state: string }) => run.state === 'completed'],
  ] as const)
    deepEqual(await readList(h, `/imports?${query}`, 2), all.filter(fits), query);
});

test('an import is found by its ids, its kind and its operator', async () => {
  const run = await find(await runImport('sellers?importId=Spring-list.7', sellers(1)));
  const found = async (query: string) =>
    (await readList(h, `/imports?${new URLSearchParams({ query })}`)).some(({ id }) => id === run.id);
  for (const query of [run.id, 'spring', '7 LIST', 'sellers Spring-list.7 test-operator'])
    ok(await found(query), query);
  for (const query of ['pring', 'spring offers', `${run.id}0`, '?']) ok(!(await found(query)), query);
});

test('an import ends when its operator is disabled or may no longer import, and committed lines stay', async () => {
  const { clientId, clientSecret } = await h.operate('POST', '/clients', {
    name: 'Robot',
    operatorRole: 'catalogue',
  });
  const program = await h.tokenFor(clientId, clientSecret);
  const { id, cookie, csrfToken } = await seedPerson(h, 'catalogue');
  const session = { cookie, origin: h.url, 'x-csrf-token': csrfToken };
  for (const [sender, patch] of [
    [{ token: program }, () => h.operate('PATCH', `/clients/${clientId}`, { operatorRole: 'finance' })],
    [{ headers: session }, () => h.operate('PATCH', `/operators/${id}`, { status: 'disabled' })],
  ] as const) {
    const importId = randomUUID();
    const call = callImport({ url: h.url, target: `sellers?importId=${importId}`, ...sender });
    await call.send(sellers(1_500));
    equal((await call.stored(1_000)).written, 1_000);
    await patch();
    call.end(sellers(10));
    const { error } = await call.outcome();
    equal(error?.code, 'forbidden');
    match(error?.message ?? '', /disabled .* up to line 1000 was kept/);
    const [run] = await readList(h, `/imports?importId=${importId}`);
    deepEqual([run.state, run.written], ['stopped', 1_000]);
  }
});
