/**
 * `keyport verify`: checks every invariant of the books, the stock and the records. It reads the database itself, and
 * asks the service where that cannot be: a running sandbox has its embedded database to itself.
 */
import { type Config, parseConfig } from '@keyport/server/config';
import type { InvariantResult } from '@keyport/server/verify/verify';
import type { Command } from 'commander';
import { findAuditKey } from '../audit-key.ts';
import { addLeafCommand } from '../command-shape.ts';
import { withDatabase } from '../configured-database.ts';
import { addUrlOption, connect } from '../connection.ts';
import { CommandFailure } from '../failure.ts';
import { formatJson, formatTable } from '../output.ts';

export function addVerifyCommand(program: Command): void {
  const verify = addLeafCommand(program, {
    name: 'verify',
    summary: 'Check every invariant of books, stock and records; exit with 1 if one is broken',
    example: 'keyport verify',
  });
  addUrlOption(verify).action(async ({ json, url }: { json?: true; url?: string }) => {
    const results = await checkInvariants(url);
    if (results.some(({ broken }) => broken > 0)) process.exitCode = 1;
    if (json) console.log(formatJson(results));
    else printForPeople(results);
  });
}

async function checkInvariants(url: string | undefined): Promise<readonly InvariantResult[]> {
  const config = parseConfig();
  const isInMemoryOfService = config.databaseUrl === undefined && config.dataDir === 'memory';
  if (url !== undefined || isInMemoryOfService) return askService(url);
  try {
    return await readDatabase(config);
  } catch (error) {
    if (error instanceof Error && error.name === 'DataFolderInUseError') return askService(url);
    throw error;
  }
}

async function askService(url: string | undefined): Promise<readonly InvariantResult[]> {
  const client = await connect(url);
  const { body } = await client.call('verifyInvariants');
  return body.data ?? [];
}

async function readDatabase(config: Config): Promise<readonly InvariantResult[]> {
  const { pendingMigrations } = await import('@keyport/server/db/migrate');
  const { verifyInvariants } = await import('@keyport/server/verify/verify');
  return withDatabase(config, async (database) => {
    const pending = await pendingMigrations(database);
    if (pending.length > 0) {
      throw new CommandFailure(`the schema lacks ${pending.join(', ')}: run \`keyport migrate\` first`);
    }
    return verifyInvariants(database, await findAuditKey(config, database));
  });
}

function printForPeople(results: readonly InvariantResult[]): void {
  console.log(
    formatTable(
      [
        { title: '', text: ({ id }) => id },
        { title: 'Checked', text: ({ checked }) => String(checked) },
        { title: 'Broken', text: ({ broken }) => String(broken) },
        { title: 'Invariant', text: ({ title }) => title },
      ],
      results,
    ),
  );
  const broken = results.filter((result) => result.broken > 0);
  for (const { id, title, broken: count, examples } of broken) {
    const more = count > examples.length ? [`… and ${count - examples.length} more`] : [];
    console.log(`\n${id} is broken: ${title}\n  ${[...examples, ...more].join('\n  ')}`);
  }
  const verdict = broken.length === 0 ? 'All hold.' : `${broken.length} of ${results.length} are broken.`;
  console.log(`\n${verdict}`);
}
