/** Before the tests on the embedded engine: writes the dump that their databases start from. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { writeEmbeddedDump } from './database.ts';

// biome-ignore lint/style/noDefaultExport: Vitest calls the default export.
export default async function setUp(): Promise<() => Promise<void>> {
  const folder = await mkdtemp(join(tmpdir(), 'keyport-test-'));
  const file = join(folder, 'dump');
  await writeEmbeddedDump(file);
  process.env['KEYPORT_TEST_EMBEDDED_DUMP'] = file;
  return () => rm(folder, { recursive: true, force: true });
}
