/** `keyport migrate`: brings the database's schema up to this version. `keyport serve` does the same when it starts. */
import { parseConfig } from '@keyport/server/config';
import type { Command } from 'commander';
import { addLeafCommand } from '../command-shape.ts';
import { withDatabase } from '../configured-database.ts';
import { formatJson } from '../output.ts';

export function addMigrateCommand(program: Command): void {
  addLeafCommand(program, {
    name: 'migrate',
    summary: 'Bring the schema of the database up to this version',
    example: 'keyport migrate --check',
  })
    .option('--check', 'change nothing; list what is missing, and exit with 1 if anything is')
    .action(async ({ json, check }: { json?: true; check?: true }) => {
      const { migrateToLatest, pendingMigrations } = await import('@keyport/server/db/migrate');
      const names = await withDatabase(parseConfig(), check ? pendingMigrations : migrateToLatest);
      if (check && names.length > 0) process.exitCode = 1;
      if (json) console.log(formatJson(check ? { pending: names } : { applied: names }));
      else if (names.length === 0) console.log('The schema is up to date.');
      else console.log([check ? 'Missing:' : 'Applied:', ...names].join('\n  '));
    });
}
