import { parseConfig } from '@keyport/server/config';
import type { Command } from 'commander';
import { addLeafCommand } from '../command-shape.ts';
import { printResult } from '../output.ts';
import { withDatabase, withDatabaseOr } from '../service/configured-database.ts';
import { connect } from '../service/connection.ts';

export function addMigrateCommand(program: Command): void {
  addLeafCommand(program, {
    name: 'migrate',
    summary: 'Bring the schema of the database up to this version',
    example: 'keyport migrate --check',
  })
    .option('--check', 'change nothing; list the missing migrations, and exit with 1 if there are any')
    .action(async ({ json, check }: { json?: true; check?: true }) => {
      const { checkSchema, migrateToLatest, pendingMigrations } = await import(
        '@keyport/server/db/migrations/migrate'
      );
      const config = parseConfig();
      const names = check
        ? await withDatabaseOr(
            config,
            async (database) => {
              const pending = await pendingMigrations(database);
              if (pending.length === 0) await checkSchema(database);
              return pending;
            },
            listPendingOfService,
          )
        : await withDatabase(config, migrateToLatest);
      if (check && names.length > 0) process.exitCode = 1;
      const list = [check ? 'Missing:' : 'Applied:', ...names].join('\n  ');
      printResult(json, check ? { pending: names } : { applied: names }, [
        names.length === 0 ? 'The schema is up to date.' : list,
      ]);
    });
}

async function listPendingOfService(): Promise<string[]> {
  const { MIGRATIONS, requireKnown } = await import('@keyport/server/db/migrations/migrate');
  const { body } = await (await connect(undefined)).call('getSystem');
  const applied = body.data?.database.migrations ?? [];
  requireKnown(applied);
  return Object.keys(MIGRATIONS).filter((name) => !applied.includes(name));
}
