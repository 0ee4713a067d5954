import type { Command } from 'commander';
import { createProgram } from './command-shape.ts';
import { addAuditCommand } from './commands/audit.ts';
import { addConfigCommand } from './commands/config.ts';
import { addKeysCommand } from './commands/keys.ts';
import { addMasterKeyCommand } from './commands/master-key.ts';
import { addMigrateCommand } from './commands/migrate.ts';
import { addPaymentsCommand } from './commands/payments.ts';
import { addStatusCommand } from './commands/status.ts';
import { addVerifyCommand } from './commands/verify.ts';
import { addImportCommand } from './import/import.ts';
import { addGroup, addSingles } from './operations/operation-commands.ts';
import { addResellerCommands } from './reseller.ts';
import { addServeCommand } from './serve/serve.ts';

export function buildProgram(): Command {
  const program = createProgram();
  addServeCommand(program);
  addStatusCommand(program);
  addConfigCommand(program);
  addMigrateCommand(program);
  addVerifyCommand(program);
  addImportCommand(program);
  for (const name of ['imports', 'account', 'client', 'member', 'operator', 'webhook'] as const)
    addGroup(program, name);
  addSingles(program);
  for (const name of ['order', 'reservation', 'claim', 'approval'] as const) addGroup(program, name);
  addPaymentsCommand(program);
  for (const name of ['seller', 'product', 'offer'] as const) addGroup(program, name);
  addKeysCommand(program);
  addGroup(program, 'catalogue');
  addMasterKeyCommand(program);
  addAuditCommand(program);
  addResellerCommands(program);
  return program;
}
