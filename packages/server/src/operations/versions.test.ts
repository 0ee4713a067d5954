/** A705. */
import { deepEqual, equal, ok } from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { OPERATION_LIST } from '@keyport/contract/operations';
import type { OperationSpec } from '@keyport/contract/operations/operation-spec';
import { test } from 'vitest';
import promised from '../../test/support/released-operations.json' with { type: 'json' };
import { deprecationLines } from './versions.ts';

type Deprecation = NonNullable<OperationSpec['deprecation']>;

const offered = new Map(
  OPERATION_LIST.filter(({ path }) => path.startsWith('/export/')).map(({ method, path, deprecation }) => [
    `${method} ${path}`,
    deprecation,
  ]),
);
/** Null if the operation's end was not announced. */
const PROMISED: Readonly<Record<string, Deprecation | null>> = promised;

/** Describes the broken promise, if it is broken. */
function brokenPromise(
  name: string,
  announced: Deprecation | null,
  today: string,
  operations: ReadonlyMap<string, Deprecation | undefined> = offered,
): string | undefined {
  if (operations.has(name)) {
    const { since, sunset } = operations.get(name) ?? {};
    const isAnnounced = since === announced?.since && sunset === announced?.sunset;
    return isAnnounced ? undefined : `${name}: its deprecation differs from the list`;
  }
  return announced !== null && announced.sunset <= today
    ? undefined
    : `${name} was removed before its sunset`;
}

test('every released operation is offered, or was deprecated until its sunset', () => {
  const today = new Date().toISOString().slice(0, 10);
  deepEqual(
    Object.entries(PROMISED).flatMap(([name, announced]) => brokenPromise(name, announced, today) ?? []),
    [],
  );
});

test('a deprecated operation stays for at least 12 months', () => {
  for (const [name, deprecation] of offered) {
    if (deprecation === undefined) continue;
    const { since, sunset } = deprecation;
    ok(Date.parse(sunset) >= new Date(since).setUTCFullYear(new Date(since).getUTCFullYear() + 1), name);
  }
});

test('a release adds its operations to the list', () => {
  const [newest = ''] = /^## .*$/m.exec(readFileSync('CHANGELOG.md', 'utf8')) ?? [];
  const added = Array.from(offered.keys()).filter((name) => !Object.hasOwn(PROMISED, name));
  if (!newest.endsWith('(unreleased)')) deepEqual(added, []);
});

test('finds a missing operation, an early end and an unannounced end', () => {
  const ended = { since: '2026-01-01', sunset: '2027-01-01' };
  const none = new Map<string, Deprecation | undefined>();
  ok(brokenPromise('GET /export/v1/x', null, '2027-06-01', none));
  ok(brokenPromise('GET /export/v1/x', ended, '2026-12-31', none));
  equal(brokenPromise('GET /export/v1/x', ended, '2027-01-01', none), undefined);
  ok(brokenPromise('GET /export/v1/x', ended, '2026-02-01', new Map([['GET /export/v1/x', undefined]])));
});

test('only deprecated operations have headers that announce their end', () => {
  deepEqual(deprecationLines({ deprecation: { since: '2026-11-25', sunset: '2027-11-25' } }), [
    'deprecation',
    '@1795564800',
    'sunset',
    'Thu, 25 Nov 2027 00:00:00 GMT',
  ]);
  deepEqual(deprecationLines({}), []);
});
