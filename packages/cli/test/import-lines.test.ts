/** The command copies exactly the rejected records, regardless of lines and chunks. */
import { equal } from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, test } from 'vitest';
import { describePosition } from '../src/import/meter.ts';
import { writeRejects } from '../src/import/rejects.ts';

const folder = mkdtempSync(join(tmpdir(), 'keyport-lines-'));
afterAll(() => rmSync(folder, { recursive: true }));

/** Bare, or in quotes with line ends, commas and quotes inside. */
const cell = fc.oneof(
  fc.string({ maxLength: 6 }).map((text) => text.replace(/[",\r\n]/g, 'x')),
  fc
    .string({ unit: fc.constantFrom('a', '"', '\n', '\r\n', ',', 'é', ' '), maxLength: 6 })
    .map((text) => `"${text.replaceAll('"', '""')}"`),
);
const record = fc.record({ cells: fc.array(cell, { minLength: 2, maxLength: 3 }), isBad: fc.boolean() });

test('the file of rejected lines has the header row and exactly the rejected CSV records', async () => {
  const path = join(folder, 'rejects.csv');
  await fc.assert(
    fc.asyncProperty(
      fc.array(record, { minLength: 1, maxLength: 30 }),
      fc.constantFrom('\n', '\r\n'),
      fc.array(fc.integer({ min: 1, max: 40 }), { minLength: 1, maxLength: 20 }),
      async (records, lineEnd, sizes) => {
        let line = 2;
        const rejected: { line: number; message: string }[] = [];
        const bad: string[] = [];
        const texts = records.map(({ cells, isBad }) => {
          const text = cells.join() + lineEnd;
          if (isBad) {
            rejected.push({ line, message: 'it is bad.' });
            bad.push(text);
          }
          line += text.match(/\n/g)?.length ?? 0;
          return text;
        });
        const file = Buffer.from(`h1,h2${lineEnd}${texts.join('')}`);
        await writeRejects(path, toChunks(file, sizes), { rejected, headerLine: 1, quote: '"' });
        equal(readFileSync(path, 'utf8'), `h1,h2${lineEnd}${bad.join('')}`);
        const reasons = rejected.map((one) => `line ${one.line}: it is bad.\n`).join('');
        equal(readFileSync(`${path}.txt`, 'utf8'), reasons);
      },
    ),
    { numRuns: 200 },
  );
});

test('of a record whose quote is missing, only the first line is copied', async () => {
  const path = join(folder, 'open.csv');
  const file = Buffer.from(`h\n"open\n${'x'.repeat(2_000_000)}\nlast\n`);
  const rejected = [{ line: 2, message: 'a quote is missing.' }];
  await writeRejects(path, toChunks(file, [65_536]), { rejected, headerLine: 1, quote: '"' });
  equal(readFileSync(path, 'utf8'), 'h\n"open\n');
});

async function* toChunks(bytes: Buffer, sizes: readonly number[]): AsyncGenerator<Buffer> {
  for (let start = 0, index = 0; start < bytes.length; index += 1) {
    const size = sizes[index % sizes.length] ?? 1;
    yield bytes.subarray(start, start + size);
    start += size;
  }
}

test.each([
  [
    { read: 1_000_000, total: 4_000_000, rejected: 3, seconds: 20 },
    '25 %, 1,000,000 lines, 50,000 lines/s, 1:00 left, 3 rejected',
  ],
  [{ read: 0, total: 10, rejected: 0, seconds: 0 }, '0 %, 0 lines, 0 lines/s, 0 rejected'],
  [{ read: 0, total: 0, rejected: 0, seconds: 1 }, '100 %, 0 lines, 0 lines/s, 0 rejected'],
])('the position shows the share, the rate and the time left: %j', (position, text) => {
  equal(describePosition(position), text);
});
