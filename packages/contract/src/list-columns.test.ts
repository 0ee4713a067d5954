import { deepEqual } from 'node:assert/strict';
import type { TSchema } from 'typebox';
import { test } from 'vitest';
import { LIST_COLUMNS, type ListColumn, type ListName } from './list-columns.ts';
import type { OperationSpec } from './operations/operation-spec.ts';
import { OPERATION_LIST, OPERATIONS } from './operations.ts';

type Shape = TSchema & {
  readonly type?: string;
  readonly items?: Shape;
  readonly anyOf?: readonly Shape[];
  readonly properties?: Readonly<Record<string, Shape>>;
  readonly enum?: readonly string[];
};

/** The elements of `data`, or of the one array in it. */
function toElement({ responses }: OperationSpec): Shape {
  const data = (responses[200] as Shape | undefined)?.properties?.['data'] ?? {};
  const [array] = [data, ...Object.values(data.properties ?? {})].filter(({ items }) => items !== undefined);
  return array?.items ?? {};
}

function hasPath(shape: Shape | undefined, path: readonly string[]): boolean {
  const [inner = shape] = shape?.anyOf?.filter(({ type }) => type !== 'null') ?? [];
  const [name, ...rest] = path;
  if (inner === undefined || name === undefined) return inner !== undefined;
  if (inner.items !== undefined) return hasPath(inner.items, name === 'last' ? rest : path);
  // A record of unknown members, such as the data of an audit entry.
  return inner.properties === undefined || hasPath(inner.properties[name], rest);
}

test('every paged list of operators declares its columns, and no other name', () => {
  // The console shows them in another form; the command prints all their members.
  const own = ['listNotes', 'listNotifications', 'listOfferHistory', 'listViews'];
  const paged = OPERATION_LIST.filter(
    ({ audience, method, query = { properties: {} } }) =>
      audience === 'operator' &&
      method === 'GET' &&
      ('cursor' in query.properties || 'page' in query.properties),
  ).map(({ name }) => name);
  deepEqual(
    paged.filter((name) => !(name in LIST_COLUMNS) && !own.includes(name)),
    [],
  );
});

test.each(Object.entries<Readonly<Record<string, ListColumn>>>(LIST_COLUMNS))(
  'the columns of %s lead to members of its elements, and sort as its query allows',
  (name, columns) => {
    const operation: OperationSpec = OPERATIONS[name as ListName];
    const sorts = (operation.query?.properties['sort'] as Shape | undefined)?.enum ?? [];
    const wrong = Object.entries(columns).filter(([column, { path = column, sort = [] }]) => {
      const sent = sort === true ? [column, `-${column}`] : sort;
      return !hasPath(toElement(operation), path.split('.')) || !sent.every((value) => sorts.includes(value));
    });
    deepEqual(wrong, []);
  },
);
