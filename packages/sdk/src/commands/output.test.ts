import { deepEqual, equal } from 'node:assert/strict';
import { test } from 'vitest';
import { formatJson, formatTree, printableLines } from './output.ts';

const ESCAPES = ['\u0007', '\u001b]0;title\u0007', '\u007f', '\u009b31m', '\u202e', '\u2066', '\u2028'];

test.each(ESCAPES)('no output for a terminal has the control characters of %j', (control) => {
  const named = { name: `a${control}b`, list: [`c${control}`] };
  for (const text of [
    formatTree(named),
    printableLines(`a${control}\r\nb`),
    formatJson(named),
    formatJson(named, 0),
  ])
    equal(/[\p{Cc}\u2028\u202e\u2066]/u.test(text.replaceAll('\n', '')), false, JSON.stringify(text));
  deepEqual(JSON.parse(formatJson(named)), named);
});

test('lines stay lines', () => {
  equal(printableLines('id,name\r\n1,A\n'), 'id,name\n1,A\n');
});
