/**
 * The service in its own process. Every line of its log must be one JSON object without an error or a secret
 * (R19).
 */
import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { type Owner, onEnd, processDatabase } from '../../packages/server/test/support/database.ts';
import { OPERATOR } from '../../packages/server/test/support/killable-service.ts';
import {
  endProcess,
  firstLine,
  isRunning,
  PROCESS_ENVIRONMENT,
} from '../../packages/server/test/support/processes.ts';

export type WatchedService = {
  readonly url: string;
  readonly port: number;
  readonly complaints: readonly string[];
  isRunning(): boolean;
  keepSecret(text: string): void;
  /** Returns false if the log lacks the trace after two seconds. */
  hasLogged(traceId: string): Promise<boolean>;
  /** Undefined if the system does not count them. */
  openDescriptors(): Promise<number | undefined>;
};

const COMMAND = fileURLToPath(new URL('../../packages/cli/bin/keyport.js', import.meta.url));
const GUARD = new URL('./prototype-guard.ts', import.meta.url).href;
const LOG_WAIT_MS = 2_000;

/** Enough for all concurrent requests. */
const TRACES_MAX = 5_000;

export async function startWatchedService(
  owner: Owner,
  settings: Readonly<Record<string, string>> = {},
): Promise<WatchedService> {
  const folder = await mkdtemp(join(tmpdir(), 'keyport-hostile-'));
  onEnd(owner, () => rm(folder, { recursive: true, force: true, maxRetries: 5 }));
  const masterKeyFile = join(folder, 'master.key');
  await writeFile(masterKeyFile, randomBytes(32).toString('base64'), { mode: 0o600 });
  const child = spawn(process.execPath, ['--import', GUARD, COMMAND, 'serve', '--json'], {
    env: {
      ...PROCESS_ENVIRONMENT,
      KEYPORT_PORT: '0',
      KEYPORT_DEMO: 'false',
      ...(await processDatabase(owner, folder)),
      KEYPORT_MASTER_KEY_FILE: masterKeyFile,
      KEYPORT_OPERATOR_ID: OPERATOR.client_id,
      KEYPORT_OPERATOR_SECRET: OPERATOR.client_secret,
      KEYPORT_IDEMPOTENCY_COOLDOWN_MS: '0',
      KEYPORT_APPROVAL_ABOVE: '95000000',
      KEYPORT_LOG_LEVEL: 'trace',
      KEYPORT_VERIFY_INTERVAL_SECONDS: '0',
      ...settings,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const complaints: string[] = [];
  const secrets = new Set<string>([OPERATOR.client_secret]);
  const traces = new Set<string>();
  let isEnding = false;
  child.once('exit', (code, signal) => {
    if (!isEnding) complaints.push(`the process ended with ${code ?? signal}`);
  });
  onEnd(owner, async () => {
    isEnding = true;
    await endProcess(child, 'SIGTERM');
  });
  createInterface({ input: child.stderr }).on('line', (line) => {
    const complaint = complaintAbout(line, secrets);
    if (complaint !== undefined) complaints.push(complaint);
    const traceId = /"traceId":"([0-9a-f]{32})"/.exec(line)?.[1];
    if (traceId === undefined) return;
    traces.add(traceId);
    const [oldest] = traces;
    if (traces.size > TRACES_MAX && oldest !== undefined) traces.delete(oldest);
  });
  const { url } = JSON.parse(await firstLine(child, () => complaints.join('\n')));
  return {
    url,
    port: Number(new URL(url).port),
    complaints,
    isRunning: () => isRunning(child),
    keepSecret: (text) => void secrets.add(text),
    async hasLogged(traceId) {
      for (const endsAtMs = performance.now() + LOG_WAIT_MS; performance.now() < endsAtMs; await sleep(1)) {
        if (traces.has(traceId)) return true;
      }
      return traces.has(traceId);
    },
    openDescriptors: () =>
      readdir(`/proc/${child.pid}/fd`).then(
        (list) => list.length,
        () => undefined,
      ),
  };
}

function complaintAbout(line: string, secrets: ReadonlySet<string>): string | undefined {
  for (const secret of secrets)
    if (line.includes(secret)) return `a secret in the log: ${line.slice(0, 2_000)}`;
  try {
    const event = JSON.parse(line);
    const isAlarm = event.level === 'error' || event.level === 'fatal';
    return isAlarm ? `the log has an error: ${line.slice(0, 4_000)}` : undefined;
  } catch {
    return `not one JSON line: ${line.slice(0, 2_000)}`;
  }
}
