import { equal, match } from 'node:assert/strict';
import { once } from 'node:events';
import { test } from 'vitest';
import { startKeyport } from './support/keyport.ts';

const END_THREADS = new URL('./support/end-threads.ts', import.meta.url).href;

test('the process exits with an error when its embedded database stops, so that it gets restarted', async (t) => {
  const { child, ended } = startKeyport(['serve', '--json'], {
    settings: { KEYPORT_PORT: '0', KEYPORT_DATA_DIR: 'memory', KEYPORT_DEMO: 'false' },
    nodeArgs: ['--import', END_THREADS],
  });
  t.onTestFinished(() => void child.kill('SIGKILL'));
  await once(child.stdout, 'data');
  child.kill('SIGUSR2');
  const { code, stderr } = await ended;
  equal(code, 1);
  match(stderr, /the embedded database has stopped/);
});
