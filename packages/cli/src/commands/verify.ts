import { formatJson } from '@keyport/sdk-source/commands/output';
import { type Config, parseConfig } from '@keyport/server/config';
import type { Database } from '@keyport/server/db/engines/database';
import type { InvariantResult } from '@keyport/server/verify/verify';
import type { Command } from 'commander';
import { addLeafCommand } from '../command-shape.ts';
import { CommandFailure } from '../failure.ts';
import { formatTable } from '../output.ts';
import { findAuditKey, requireMigrated, withDatabaseOr } from '../service/configured-database.ts';
import { addUrlOption, connect } from '../service/connection.ts';

type Options = { readonly json?: true; readonly url?: string; readonly only?: string };

type Outcome = {
  readonly results: readonly InvariantResult[];
  readonly unchecked: readonly { readonly id: string; readonly reason: string }[];
};

export function addVerifyCommand(program: Command): void {
  const verify = addLeafCommand(program, {
    name: 'verify',
    summary: 'Check every invariant of books, stock, records and catalogue; exit with 1 if one is violated',
    example: 'keyport verify',
  });
  addUrlOption(verify)
    .option('--only <numbers>', 'only these, such as I3,I22')
    .action(async ({ json, url, only }: Options) => {
      const config = parseConfig();
      const named = url ?? config.serviceUrl;
      const outcome = await (named === undefined ? readDatabase(config, only) : requestCheck(named, only));
      if (outcome.results.some(({ broken }) => broken > 0)) process.exitCode = 1;
      for (const { id, reason } of outcome.unchecked) console.error(`${id} was not checked: ${reason}`);
      if (json) console.log(formatJson(outcome.results));
      else printForPeople(outcome);
    });
}

async function requestCheck(url: string | undefined, only: string | undefined): Promise<Outcome> {
  const client = await connect(url);
  const { body } = await client.call('verifyInvariants', { query: { only } });
  return { results: body.data ?? [], unchecked: [] };
}

async function readDatabase(config: Config, text: string | undefined): Promise<Outcome> {
  const { CATALOGUE_INVARIANT, CHAIN_INVARIANT, parseOnly, verifyInvariants } = await import(
    '@keyport/server/verify/verify'
  );
  const parsed = text === undefined ? { only: undefined } : parseOnly(text);
  if ('rule' in parsed) throw new CommandFailure(`--only ${parsed.rule}`);
  const { only } = parsed;
  const isWanted = ({ id }: { readonly id: string }) => only?.includes(id) ?? true;
  const read = async (database: Database): Promise<Outcome> => {
    await requireMigrated(database);
    const auditMac = await findAuditKey(config, database);
    const results = await verifyInvariants(database, { only, auditMac });
    const reason = 'its key is wrapped with the master key, which is missing here';
    const isKeyMissing = auditMac === undefined && isWanted(CHAIN_INVARIANT);
    return { results, unchecked: isKeyMissing ? [{ id: CHAIN_INVARIANT.id, reason }] : [] };
  };
  const outcome = await withDatabaseOr(config, read, () => requestCheck(undefined, text));
  const isCompared = outcome.results.some(({ id }) => id === CATALOGUE_INVARIANT.id);
  if (isCompared || !isWanted(CATALOGUE_INVARIANT)) return outcome;
  const { results, unchecked } = await compareInService(CATALOGUE_INVARIANT.id);
  return { results: [...outcome.results, ...results], unchecked: [...outcome.unchecked, ...unchecked] };
}

/** Only a running service can compare its memory with the database. */
async function compareInService(id: string): Promise<Outcome> {
  try {
    return await requestCheck(undefined, id);
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    return { results: [], unchecked: [{ id, reason: `no service compared its memory: ${error.message}` }] };
  }
}

function printForPeople({ results, unchecked }: Outcome): void {
  const table = formatTable(results, {
    '': ({ id }) => id,
    Checked: ({ checked }) => String(checked),
    Violated: ({ broken }) => String(broken),
    Invariant: ({ title }) => title,
  });
  console.log(table);
  const broken = results.filter((result) => result.broken > 0);
  for (const { id, title, broken: count, examples } of broken) {
    const more = count > examples.length ? [`… and ${count - examples.length} more`] : [];
    console.log(`\n${id} is violated: ${title}\n  ${[...examples, ...more].join('\n  ')}`);
  }
  const all = unchecked.length === 0 ? 'All hold.' : 'All checked invariants hold.';
  const verdict = broken.length === 0 ? all : `${broken.length} of ${results.length} are violated.`;
  console.log(`\n${verdict}`);
}
