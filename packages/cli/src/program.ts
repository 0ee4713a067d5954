import manifest from '@keyport/server/package.json' with { type: 'json' };
import { Command } from 'commander';
import { addAuditCommand } from './commands/audit.ts';
import { addBooksCommand } from './commands/books.ts';
import { addCompletionCommand } from './commands/completion.ts';
import { addConfigCommand } from './commands/config.ts';
import { addKeysCommand } from './commands/keys.ts';
import { addMasterKeyCommand } from './commands/master-key.ts';
import { addMigrateCommand } from './commands/migrate.ts';
import { addPaymentsCommand } from './commands/payments.ts';
import { addStatementCommand } from './commands/statement.ts';
import { addStatusCommand } from './commands/status.ts';
import { addVerifyCommand } from './commands/verify.ts';
import { addImportCommand } from './import/import.ts';
import { addGroup, addSingle } from './operations/operation-commands.ts';
import { addResellerCommands } from './reseller.ts';
import { addServeCommand } from './serve/serve.ts';

export function buildProgram(): Command {
  // Every command takes over these settings when it is added.
  const program = new Command('keyport')
    .description('Runs and operates the Keyport export service.')
    .version(manifest.version, '--version', 'print the version')
    .helpCommand(false)
    .showHelpAfterError('Add --help to see how it is used.')
    .addHelpText('after', '\nExample:\n  keyport serve')
    .exitOverride();
  addServeCommand(program);
  addStatusCommand(program);
  addConfigCommand(program);
  addMigrateCommand(program);
  addVerifyCommand(program);
  addImportCommand(program);
  for (const name of ['imports', 'account', 'client', 'operator', 'webhook'] as const)
    addGroup(program, name);
  for (const name of ['deposit', 'adjustment', 'payout'] as const) addSingle(program, name);
  addStatementCommand(program);
  addSingle(program, 'statements');
  addBooksCommand(program);
  for (const name of ['daily-books', 'summary', 'attention'] as const) addSingle(program, name);
  for (const name of ['order', 'reservation', 'claim', 'approval'] as const) addGroup(program, name);
  addPaymentsCommand(program);
  for (const name of ['seller', 'product', 'offer'] as const) addGroup(program, name);
  addKeysCommand(program);
  addGroup(program, 'catalogue');
  addMasterKeyCommand(program);
  addAuditCommand(program);
  addResellerCommands(program);
  addCompletionCommand(program);
  return program;
}
