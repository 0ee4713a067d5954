import { deepEqual, doesNotMatch, equal, match, ok } from 'node:assert/strict';
import { execFile, execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { type TestContext, test } from 'vitest';
import { onEnd, processDatabase } from '../../server/test/support/database.ts';
import { freePort } from '../../server/test/support/postgres.ts';
import { PROCESS_ENVIRONMENT } from '../../server/test/support/processes.ts';
import { skipBecause } from '../../server/test/support/vitest.ts';
import { sendRequest } from './support/http.ts';
import { runKeyport, startKeyport, startServing } from './support/keyport.ts';

const GUIDE = join(import.meta.dirname, '../../../docs/integrating.md');
/** Runs a command in its own terminal. */
const SCRIPT = '/usr/bin/script';
const SHIM = join(import.meta.dirname, '../bin/keyport.js');

const has = (tool: string) => {
  try {
    execFileSync('sh', ['-c', `command -v ${tool}`], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
};

test('the export lines and the curl lines of the guide place an order and show its key and the history, and the link to the portal signs in', async (t) => {
  skipBecause(t, !(has('curl') && has('sed')) && 'there is no sh with curl and sed');
  const { child, ended } = startKeyport(['serve'], { settings: await settingsFor(t) });
  onEnd(t, async () => void child.kill('SIGKILL'));
  const [welcome] = await Promise.race([once(child.stdout, 'data'), once(child, 'exit')]);
  const exports = String(welcome).match(/^ {2}export \w+=.*$/gm) ?? [];
  equal(exports.length, 3, String(welcome));
  const [, link = ''] = /^ {2}(http\S+\/portal\/sign-in#token=\S+)$/m.exec(String(welcome)) ?? [];
  const { origin, hash } = new URL(link);
  const signedIn = await fetch(`${origin}/portal/session/link`, {
    method: 'POST',
    headers: { origin, 'content-type': 'application/json' },
    body: JSON.stringify({ token: hash.replace('#token=', '') }),
  });
  equal((await signedIn.json()).data.member.role, 'owner');
  const [, lines = ''] = /^```sh\n(TOKEN=.*?)^```/ms.exec(await readFile(GUIDE, 'utf8')) ?? [];
  const script = `${exports.join('\n')}\n${lines}`;
  const { stdout } = await promisify(execFile)('sh', ['-c', script], {
    env: { PATH: process.env['PATH'] },
    timeout: 60_000,
  });

  const [productId, order = '{}', keys = '{}', history = '{}'] = stdout.split('\n');
  match(productId ?? '', /^[0-9]{14}$/);
  const { data } = JSON.parse(order);
  equal(data.status, 'complete');
  ok(JSON.parse(keys).data[0].keys[0].code);
  equal(JSON.parse(history).data[0].id, data.id);
  child.kill('SIGTERM');
  equal((await ended).code, 0);
});

test('the log shows the steps of a first start from the beginning', async (t) => {
  const service = await startServing(await settingsFor(t));
  onEnd(t, async () => void (await service.stop('SIGKILL')));
  await service.logged((line) => line['msg'] === 'ready');
  const [first] = service.lines(() => true);
  deepEqual([first?.['msg'], first?.['mode']], ['starting', 'sandbox']);
  const steps = [
    'opening the database',
    'filling the empty database with demo data',
    'loading the catalogue',
    'ready',
  ];
  deepEqual(
    service.lines((line) => steps.includes(line['msg'])).map((line) => line['msg']),
    steps,
  );
});

test('an address that cannot be listened on is reported before the service connects to the database', async (t) => {
  const holder = createServer().listen(0, '127.0.0.1');
  await once(holder, 'listening');
  t.onTestFinished(() => void holder.close());
  const address = holder.address();
  const taken = String(typeof address === 'object' ? address?.port : undefined);
  const free = String(await freePort());
  const rows: [settings: Record<string, string>, says: RegExp][] = [
    [{ KEYPORT_PORT: taken }, /port \d+, is already in use.* set KEYPORT_PORT to a free port/],
    [
      { KEYPORT_PORT: '0', KEYPORT_METRICS_PORT: taken },
      /is already in use.* set KEYPORT_METRICS_PORT to a free/,
    ],
    [
      { KEYPORT_PORT: free, KEYPORT_METRICS_PORT: free },
      /is already in use.* set KEYPORT_METRICS_PORT to a free/,
    ],
    [{ KEYPORT_PORT: '0', KEYPORT_HOST: '192.0.2.1' }, /does not belong to this machine. Set KEYPORT_HOST/],
  ];
  for (const [settings, says] of rows) {
    const unreachable = { KEYPORT_DATABASE_URL: 'postgres://127.0.0.1:1/x', ...settings };
    const { code, stdout, stderr } = await runKeyport(['serve'], { settings: unreachable });
    deepEqual([code, stdout], [1, '']);
    match(stderr, says);
  }
});

test('a service binds its address before it opens the database', async (t) => {
  const port = String(await freePort());
  const { child } = startKeyport(['serve'], { settings: { ...(await settingsFor(t)), KEYPORT_PORT: port } });
  onEnd(t, async () => void child.kill('SIGKILL'));
  const welcome = once(child.stdout, 'data');
  await new Promise<void>((resolve, reject) => {
    let log = '';
    child.stderr.on('data', (chunk) => {
      log += chunk;
      if (log.includes('opening the database')) resolve();
    });
    child.once('exit', () => reject(new Error(log)));
  });
  const other = { KEYPORT_DATABASE_URL: 'postgres://127.0.0.1:1/x', KEYPORT_PORT: port };
  const { code, stderr } = await runKeyport(['serve'], { settings: other });
  equal(code, 1);
  match(stderr, /is already in use.* set KEYPORT_PORT to a free port/);
  match(String(await welcome), new RegExp(`127\\.0\\.0\\.1:${port}`));
});

const noHangup = process.platform === 'win32' && 'there is no SIGHUP';

test('no signal ends a service at once or opens an inspector, and SIGQUIT stops it gracefully', async (t) => {
  skipBecause(t, noHangup);
  const service = await startServing({ ...(await settingsFor(t)), KEYPORT_DEMO: 'false' });
  onEnd(t, async () => void (await service.stop('SIGKILL')));
  for (const signal of ['SIGUSR1', 'SIGUSR2', 'SIGALRM', 'SIGVTALRM', 'SIGIO', 'SIGHUP'] as const) {
    process.kill(service.pid, signal);
    equal((await sendRequest(service.welcome.url, 'GET', '/health/ready')).status, 200, signal);
  }
  await service.logged((line) => String(line['msg']).startsWith('SIGHUP'));
  equal(await service.stop('SIGQUIT'), 0);
  doesNotMatch(await service.output(), /Debugger|9229/);
});

test('a service whose terminal is closed stops gracefully, and one whose terminal is open continues', async (t) => {
  skipBecause(t, noHangup || (!existsSync(SCRIPT) && 'script is not installed'));
  const folder = await mkdtemp(join(tmpdir(), 'keyport-terminal-'));
  onEnd(t, () => rm(folder, { recursive: true }));
  const log = join(folder, 'log');
  const settings = { ...(await settingsFor(t)), KEYPORT_DEMO: 'false' };
  const line = `echo pid $$; exec ${process.execPath} ${SHIM} serve 2>${log}`;
  const terminal = execFile(SCRIPT, ['-qc', line, '/dev/null'], {
    env: { ...PROCESS_ENVIRONMENT, ...settings },
  });
  onEnd(t, async () => void terminal.kill('SIGKILL'));
  const logHas = async (message: string) => {
    while (!(await readFile(log, 'utf8').catch(() => '')).includes(message)) await sleep(20);
  };
  const [shown] = await once(terminal.stdout ?? terminal, 'data');
  const pid = Number(/pid (\d+)/.exec(String(shown))?.[1]);
  onEnd(t, async () => {
    try {
      process.kill(pid, 'SIGKILL');
    } catch {
      // It has ended.
    }
  });
  await logHas('"msg":"ready"');
  process.kill(pid, 'SIGHUP');
  await logHas('"msg":"SIGHUP');
  terminal.kill('SIGKILL');
  await logHas('"msg":"stopped"');
});

/** A separate sandbox on the engine under test. */
async function settingsFor(t: TestContext): Promise<Record<string, string>> {
  const folder = await mkdtemp(join(tmpdir(), 'keyport-serve-'));
  onEnd(t, () => rm(folder, { recursive: true, maxRetries: 5 }));
  return { KEYPORT_PORT: '0', ...(await processDatabase(t, folder)) };
}
