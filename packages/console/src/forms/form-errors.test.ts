import { deepEqual } from 'node:assert/strict';
import { KeyportError } from '@keyport/sdk-source/requests/errors';
import { test } from 'vitest';
import { formErrors } from './form-errors.ts';

const of = (errors: { field?: string; message: string }[], names: readonly string[]) =>
  formErrors(
    new KeyportError({
      status: 400,
      code: 'validation-error',
      message: 'x',
      errors: errors.map((error) => ({ code: 'validation-error', ...error })) as never,
      traceId: '',
    }),
    (name) => names.includes(name),
  );

test('a message goes to its field, without the path', () => {
  const message = 'must be an amount, or null.';
  for (const [field, name] of [
    ['body.limits.dailySpendMax', 'dailySpendMax'],
    ['body.limits.dailySpendMax', 'limits'],
    ['body.changes[0].price', 'price'],
    ['query.cursor', 'cursor'],
  ] as const) {
    const { fields, rest } = of([{ field, message: `${field} ${message}` }], [name]);
    deepEqual([fields, rest], [{ [name]: 'This must be an amount.' }, []], field);
  }
});

test('a message about a list entry has its number; a message without a form field stays a sentence', () => {
  const field = 'body.keys[3].code';
  deepEqual(of([{ field, message: `${field} must be text.` }], ['keys']), {
    fields: { keys: 'Entry 4 must be text.' },
    rest: [],
  });
  deepEqual(of([{ field, message: `${field} must be text.` }, { message: 'Whole sentence.' }], []), {
    fields: {},
    rest: ['Code 4 must be text.', 'Whole sentence.'],
  });
});
