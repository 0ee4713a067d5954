import { deepEqual } from 'node:assert/strict';
import { test } from 'vitest';
import { OPERATIONS } from '../operations.ts';

type Schema = { readonly [name: string]: unknown };

function textsWithoutRule(schema: Schema, path: string): string[] {
  const { type, pattern, format, properties = {}, items, anyOf = [] } = schema;
  const isVague = type === 'string' && (pattern !== undefined || (format !== undefined && format !== 'uri'));
  const inner: [string, Schema][] = [
    ...Object.entries(properties as Record<string, Schema>),
    ...(items === undefined ? [] : [['[]', items as Schema] as [string, Schema]]),
    ...(anyOf as Schema[]).map((branch): [string, Schema] => ['', branch]),
  ];
  return [
    ...(isVague && schema['x-rule'] === undefined ? [path] : []),
    ...inner.flatMap(([name, each]) => textsWithoutRule(each, `${path}.${name}`)),
  ];
}

test('every text of a request that must have a form says so in its message', () => {
  const parts = Object.entries(OPERATIONS).flatMap(([name, operation]) =>
    (['params', 'query', 'body'] as const).flatMap((part) => {
      const schema = (operation as unknown as Record<string, Schema | undefined>)[part];
      return schema === undefined ? [] : textsWithoutRule(schema, `${name} ${part}`);
    }),
  );
  deepEqual(parts, []);
});
