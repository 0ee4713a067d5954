/** The command keeps exactly the rejected lines, regardless of lines, chunks and batches. */
import { deepEqual, equal, ok } from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CSV, cutRecords } from '@keyport/import/records';
import fc from 'fast-check';
import { afterAll, test } from 'vitest';
import { forwardUnchanged } from '../src/import/forward.ts';
import { uuidOf } from '../src/import/mapping.ts';
import { describePosition } from '../src/import/meter.ts';
import { Rejects } from '../src/import/rejects.ts';
import { SentLines } from '../src/import/sent-lines.ts';

const folder = mkdtempSync(join(tmpdir(), 'keyport-lines-'));
afterAll(() => rmSync(folder, { recursive: true }));

/** Bare, or in quotes with line ends, commas and quotes inside. */
const cell = fc.oneof(
  fc.string({ maxLength: 6 }).map((text) => text.replace(/[",\r\n]/g, 'x')),
  fc
    .string({ unit: fc.constantFrom('a', '"', '\n', '\r\n', ',', 'é', ' '), maxLength: 6 })
    .map((text) => `"${text.replaceAll('"', '""')}"`),
);
const record = fc.record({
  cells: fc.array(cell, { minLength: 2, maxLength: 3 }),
  isBad: fc.boolean(),
  isBlankAfter: fc.boolean(),
});

test('the file of rejected lines has the header row and exactly the rejected CSV records', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(record, { maxLength: 30 }),
      fc.constantFrom('\n', '\r\n'),
      fc.array(fc.integer({ min: 1, max: 40 }), { minLength: 1, maxLength: 20 }),
      fc.integer({ min: 1, max: 7 }),
      fc.boolean(),
      async (records, lineEnd, chunkSizes, batchSize, endsWithLineEnd) => {
        const written = records.map(({ cells, isBad, isBlankAfter }) => ({
          // The service of this test rejects the lines with this mark.
          text: [isBad ? 'BAD' : 'good', ...cells].join(','),
          isBad,
          blank: isBlankAfter ? lineEnd : '',
        }));
        const body = written.map(({ text, blank }) => `${text}${lineEnd}${blank}`).join('');
        const file = Buffer.from(`h1,h2${lineEnd}${endsWithLineEnd ? body : body.replace(/[\r\n]+$/, '')}`);
        const rejects = await Rejects.open(join(folder, 'rejects.csv'));
        rejects.clear();
        const keptCountMax = await importThrough(chunksOf(file, chunkSizes), rejects, batchSize);
        const bad = written.filter(({ isBad }) => isBad).map(({ text }) => text);
        equal(readBack(rejects.path), bad.length === 0 ? '' : `${['h1,h2', ...bad].join('\n')}\n`);
        equal(rejects.count, bad.length);
        deepEqual(
          readBack(rejects.reasonsPath).split('\n').slice(0, -1),
          written.flatMap(({ isBad }, index) => {
            const before = written.slice(0, index).map(({ text, blank }) => `${text}\n${blank}`);
            const line = 2 + (before.join('').match(/\n/g)?.length ?? 0);
            return isBad ? [`line ${line}: it is BAD.`] : [];
          }),
        );
        ok(keptCountMax <= 30 + 30 + batchSize, 'lines that are committed are forgotten');
      },
    ),
    { numRuns: 300 },
  );
});

/**
 * Acts as the service: cuts the body, rejects the bad lines, commits batches. Returns the largest number of
 * lines kept.
 */
async function importThrough(
  chunks: AsyncIterable<Buffer>,
  rejects: Rejects,
  batchSize: number,
): Promise<number> {
  const sent = new SentLines();
  const received: Buffer[] = [];
  let keptCountMax = 0;
  let answered = 0;
  const response = async (isEnd: boolean) => {
    const records: { line: number; text: string }[] = [];
    const all = Buffer.concat(received);
    for await (const { line, bytes } of cutRecords(chunksOf(all, [all.length || 1]), CSV)) {
      records.push({ line, text: bytes === undefined ? '' : Buffer.from(bytes).toString() });
    }
    // The last record may still continue.
    const whole = isEnd ? records : records.slice(0, -1);
    const due = isEnd ? whole.length : Math.floor(whole.length / batchSize) * batchSize;
    for (const { line, text } of whole.slice(answered, due)) {
      if (!text.startsWith('BAD')) continue;
      const found = sent.find(line);
      ok(found !== undefined, `line ${line} is known when it is rejected`);
      rejects.add(found, { line, message: 'it is BAD.' });
    }
    const last = whole[due - 1];
    answered = Math.max(answered, due);
    if (last === undefined) return;
    rejects.write();
    sent.forgetUpTo(last.line);
  };
  await forwardUnchanged(chunks, 'csv', {
    header: (bytes) => rejects.setHeader(bytes),
    line: (line) => {
      sent.add(line);
      keptCountMax = Math.max(keptCountMax, sent.count);
    },
    async send(bytes) {
      received.push(Buffer.from(bytes));
      await response(false);
    },
    isOver: () => false,
  });
  await response(true);
  equal(sent.count, 0);
  return keptCountMax;
}

async function* chunksOf(bytes: Buffer, sizes: readonly number[]): AsyncGenerator<Buffer> {
  for (let start = 0, index = 0; start < bytes.length; index += 1) {
    const size = sizes[index % sizes.length] ?? 1;
    yield bytes.subarray(start, start + size);
    start += size;
  }
}

function readBack(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}

test('the position shows the known figures and the time left', () => {
  const position = { line: 1_020_000, firstLine: 20_000, sentLine: 1_020_000, rejected: 3, seconds: 20 };
  equal(
    describePosition({ ...position, readBytes: 100_000_000, totalBytes: 400_000_000 }),
    '25 %, 1,020,000 lines, 50,000 lines/s, 5.0 MB/s, 1:00 left, 3 rejected',
  );
  equal(
    describePosition({ ...position, readBytes: 100_000_000, totalBytes: undefined }),
    '1,020,000 lines, 50,000 lines/s, 5.0 MB/s, 3 rejected',
  );
  equal(
    describePosition({
      line: 0,
      firstLine: 0,
      sentLine: 0,
      rejected: 0,
      seconds: 0,
      readBytes: 0,
      totalBytes: 0,
    }),
    '100 %, 0 lines, 0 lines/s, 0.0 MB/s, 0 rejected',
  );
});

test('a source that was read to its end is at 100 % only when its last line is kept', () => {
  const position = {
    firstLine: 0,
    sentLine: 3_000,
    rejected: 0,
    seconds: 1,
    readBytes: 900,
    totalBytes: 900,
  };
  const shares = [0, 1_000, 2_999, 3_000].map(
    (line) => describePosition({ ...position, line }).split(',')[0],
  );
  deepEqual(shares, ['0 %', '33 %', '99 %', '100 %']);
});

test('a UUID matches the example of RFC 9562', () => {
  // Appendix A.4.
  const dns = '6ba7b810-9dad-11d1-80b4-00c04fd430c8';
  equal(uuidOf(dns, 'www.example.com'), '2ed6657d-e927-568b-95e1-2665a8aea6a2');
});
