import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { createEmbeddedTemplate } from './database.ts';

// biome-ignore lint/style/noDefaultExport: Vitest calls the default export.
export default async function setUp(): Promise<() => Promise<void>> {
  const folder = await mkdtemp(join(tmpdir(), 'keyport-test-'));
  const template = { dump: join(folder, 'dump'), folder: join(folder, 'data') };
  await createEmbeddedTemplate(template);
  process.env['KEYPORT_TEST_EMBEDDED_DUMP'] = template.dump;
  process.env['KEYPORT_TEST_EMBEDDED_FOLDER'] = template.folder;
  return () => rm(folder, { recursive: true, force: true });
}
