import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Owner, onEnd, processDatabase } from '../../../server/test/support/database.ts';
import { runKeyport, startServing } from './keyport.ts';

/** A service without the demo, on the engine under test. */
export async function startOwnService(owner: Owner) {
  const folder = await mkdtemp(join(tmpdir(), 'keyport-own-'));
  onEnd(owner, () => rm(folder, { recursive: true }));
  const database = {
    ...(await processDatabase(owner, folder)),
    KEYPORT_DEMO: 'false',
  };
  const service = await startServing({ ...database, KEYPORT_PORT: '0' });
  onEnd(owner, async () => void (await service.stop('SIGKILL')));
  const settings = { ...database, KEYPORT_PORT: new URL(service.welcome.url).port };
  return {
    folder,
    service,
    settings,
    keyport: (...args: string[]) => runKeyport(args, { settings }),
  };
}
