/** Before the tests on the embedded engine: writes the dump that their databases start from. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { writeEmbeddedDump } from './database.ts';

export default async function setUp(project: TestProject): Promise<() => Promise<void>> {
  const folder = await mkdtemp(join(tmpdir(), 'keyport-test-'));
  const file = join(folder, 'dump');
  await writeEmbeddedDump(file);
  project.config.env['KEYPORT_TEST_EMBEDDED_DUMP'] = file;
  return () => rm(folder, { recursive: true, force: true });
}
