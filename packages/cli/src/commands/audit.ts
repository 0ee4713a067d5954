import type { AuditCheck } from '@keyport/contract/operators/audit';
import { must } from '@keyport/core/assert';
import { parseConfig } from '@keyport/server/config';
import type { Database } from '@keyport/server/db/engines/database';
import { type Command, InvalidArgumentError, Option } from 'commander';
import { addLeafCommand } from '../command-shape.ts';
import { CommandFailure } from '../failure.ts';
import { addOperationCommand } from '../operations/operation-command.ts';
import { printResult } from '../output.ts';
import { findAuditKey, withDatabaseOr } from '../service/configured-database.ts';
import { connect } from '../service/connection.ts';

type Options = { readonly json?: true; readonly anchor?: string };

const KEY_MISSING = 'the key of the audit chain is missing: check that the master key file exists';

export function addAuditCommand(program: Command): void {
  const audit = addOperationCommand(program, {
    name: 'audit',
    operation: 'listAudit',
    example: '--action keys.read --items-per-page 20',
  });
  addLeafCommand(audit, {
    name: 'verify',
    summary: 'Check that no entry was removed, changed or moved; exit with 1 if one was',
    example: 'keyport audit verify --anchor "$(cat last-anchor)"',
  })
    .addOption(
      new Option(
        '--anchor <anchor>',
        'an anchor from an earlier run or from the log of the service; the chain must still contain it',
      ).argParser(parseAnchorOption),
    )
    .action((_options: Options, command: Command) => verify(command.optsWithGlobals<Options>()));
}

async function verify({ json, anchor }: Options): Promise<void> {
  const { checkChain, parseAnchor } = await import('@keyport/server/audit/chain');
  const config = parseConfig();
  const read = async (database: Database): Promise<AuditCheck> => {
    const key = await findAuditKey(config, database);
    if (key === undefined) throw new CommandFailure(KEY_MISSING);
    const found = await checkChain(database, key, anchor === undefined ? undefined : parseAnchor(anchor));
    return { ...found, examples: [...found.examples], head: found.head ?? null };
  };
  const check = await withDatabaseOr(config, read, () => requestCheck(anchor));
  const { checked, broken, examples, head } = check;
  if (broken > 0) process.exitCode = 1;
  const more = broken > examples.length ? [`… and ${broken - examples.length} more`] : [];
  const anchorOfNext =
    head === null ? [] : ['Store this elsewhere and pass it as --anchor to the next check:', `  ${head}`];
  const lines =
    broken > 0
      ? [`The audit log was tampered with (${checked} entries checked):`, ...indented([...examples, ...more])]
      : [`${checked} entries checked: no entry was removed, changed or moved.`, ...anchorOfNext];
  printResult(json, check, lines);
}

const indented = (lines: readonly string[]) => lines.map((line) => `  ${line}`);

async function requestCheck(anchor: string | undefined): Promise<AuditCheck> {
  const client = await connect(undefined);
  const { body } = await client.call('verifyAudit', { query: { anchor } });
  return must(body.data, 'a check has a result');
}

function parseAnchorOption(text: string): string {
  if (/^[1-9]\d{0,14}:[0-9a-f]{64}$/.test(text)) return text;
  throw new InvalidArgumentError('It must be a number, a colon and 64 hexadecimal digits.');
}
