/** Runs the command line of the systemd unit, with the settings that it and keyport.env.example give. */
import { deepEqual, equal, match } from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { test } from 'vitest';
import { onEnd, testEngine } from '../../server/test/support/database.ts';
import { freePort, startPostgres } from '../../server/test/support/postgres.ts';
import { skipBecause } from '../../server/test/support/vitest.ts';
import { sendRequest } from './support/http.ts';

const ROOT = join(import.meta.dirname, '../../..');
const FOLDER = join(ROOT, 'deploy/systemd');
const DATABASE_PASSWORD = 'word-of-the-database';

test('the unit starts a live node that accepts its operator and prints no secret', async (t) => {
  skipBecause(t, testEngine === 'embedded' && 'live mode needs a PostgreSQL server');
  const unit = await readFile(join(FOLDER, 'keyport.service'), 'utf8');
  const folder = await mkdtemp(join(tmpdir(), 'keyport-systemd-'));
  onEnd(t, () => rm(folder, { recursive: true }));
  const server = await startPostgres({ durable: true });
  onEnd(t, () => server.stop());
  const port = await freePort();

  const credentials = toValues(unit, 'LoadCredential').map((value) => value.split(':')[0] ?? '');
  deepEqual(credentials, ['master.key', 'operator.secret']);
  const secrets = [DATABASE_PASSWORD];
  await mkdir(join(folder, 'credentials'));
  for (const name of credentials) {
    const secret = randomBytes(32).toString('base64');
    secrets.push(secret);
    await writeFile(join(folder, 'credentials', name), `${secret}\n`, { mode: 0o400 });
  }
  const databaseUrl = new URL(server.url);
  databaseUrl.password = DATABASE_PASSWORD;
  const environment = {
    PATH: process.env['PATH'] ?? '',
    ...assignments(
      toValues(unit, 'Environment').flatMap((value) => value.split(' ')),
      folder,
    ),
    ...assignments((await readFile(join(FOLDER, 'keyport.env.example'), 'utf8')).split('\n'), folder),
    KEYPORT_DATABASE_URL: databaseUrl.href,
    KEYPORT_PORT: String(port),
    KEYPORT_STOP_DELAY_MS: '0',
  };
  const [program = '', ...args] = (toValues(unit, 'ExecStart')[0] ?? '')
    .replaceAll('/opt/keyport', ROOT)
    .split(' ');

  const child = spawn(program, args, { env: environment, cwd: ROOT, stdio: ['ignore', 'pipe', 'pipe'] });
  const ended = once(child, 'exit');
  onEnd(t, async () => void child.kill('SIGKILL'));
  const printed = Promise.all([text(child.stdout), text(child.stderr)]);
  await Promise.race([once(child.stdout, 'data'), ended]);
  equal(child.exitCode, null, (await Promise.race([printed, []])).join('\n'));

  const url = `http://127.0.0.1:${port}`;
  const token = await sendRequest(url, 'POST', '/oauth/token', {
    body: { grant_type: 'client_credentials', client_id: 'operator', client_secret: secrets[2] },
  });
  equal(token.status, 200);
  equal((await sendRequest(url, 'GET', '/health/ready')).status, 200);
  child.kill('SIGTERM');
  deepEqual(await ended, [0, null]);
  const [output, log] = await printed;
  match(output, /^Keyport is ready \(live\)\./);
  const leaked = [...secrets, 'kpsec_'].filter((secret) => (output + log).includes(secret));
  deepEqual(leaked, []);
});

/** All values of a directive in the unit. */
function toValues(unit: string, name: string): string[] {
  return Array.from(unit.matchAll(new RegExp(`^${name}=(.*)$`, 'gm')), ([, value = '']) => value);
}

/** `NAME=value` pairs of lines that are not comments, with the folders that systemd would insert. */
function assignments(lines: readonly string[], folder: string): Record<string, string> {
  const pairs = lines
    .filter((line) => /^[A-Z]/.test(line))
    .map((line) => [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1)]);
  return Object.fromEntries(
    pairs.map(([name, value = '']) => [
      name,
      value
        .replaceAll('%d', join(folder, 'credentials'))
        .replaceAll('%S', join(folder, 'state'))
        .replaceAll('%i', ''),
    ]),
  );
}
