import { equal, ok } from 'node:assert/strict';
import { OPERATION_LIST } from '@keyport/contract/operations';
import { hasScenarios, listScenarios } from '@keyport/contract/sandbox/scenarios';
import { ApiError } from '@keyport/http/replies/api-error';
import fc from 'fast-check';
import { test } from 'vitest';
import { parseScenario } from './scenario.ts';

const REHEARSED = OPERATION_LIST.filter(hasScenarios);

test('every scenario that the reference lists is valid for its operation', () => {
  for (const operation of REHEARSED)
    for (const value of listScenarios(operation))
      ok(Object.keys(parseScenario(value, operation)).length === 1, `${operation.name} ${value}`);
});

test('any header text is a scenario or gets a validation error', () => {
  const words = fc.constantFrom(
    ...[
      'held',
      'lost-answer',
      'delay:',
      'delay:5',
      'error:',
      'error:unauthorized',
      'unavailable',
      ',',
      ' ',
      ':',
    ],
    ...[
      '__proto__',
      'constructor',
      'toString',
      'error:__proto__',
      'delay:99999',
      'delay:60000',
      'rate-limited',
    ],
  );
  const texts = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.array(words, { maxLength: 6 }).map((parts) => parts.join('')),
    fc.array(words, { maxLength: 6 }).map((parts) => parts.join(',')),
  );
  fc.assert(
    fc.property(texts, fc.constantFrom(...REHEARSED), (text, operation) => {
      try {
        const { outcome, loss, delayMs } = parseScenario(text, operation);
        ok(outcome !== undefined || loss !== undefined || delayMs !== undefined);
      } catch (error) {
        ok(error instanceof ApiError);
        equal(error.errors?.[0]?.field, 'headers.keyport-scenario');
      }
    }),
    { numRuns: 2000 },
  );
});
