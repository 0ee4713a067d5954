/** The command with all its subcommands, in the order of its help. */
import manifest from '@keyport/server/package.json' with { type: 'json' };
import { Command } from 'commander';
import { addAccountCommand } from './commands/account.ts';
import { addAdjustmentCommand } from './commands/adjustment.ts';
import { addAuditCommand } from './commands/audit.ts';
import { addBooksCommand } from './commands/books.ts';
import { addCatalogueCommand } from './commands/catalogue.ts';
import { addClientCommand } from './commands/client.ts';
import { addCompletionCommand } from './commands/completion.ts';
import { addConfigCommand } from './commands/config.ts';
import { addDepositCommand } from './commands/deposit.ts';
import { addImportCommand } from './commands/import.ts';
import { addKeysCommand } from './commands/keys.ts';
import { addMasterKeyCommand } from './commands/master-key.ts';
import { addMigrateCommand } from './commands/migrate.ts';
import { addOfferCommand } from './commands/offer.ts';
import { addOrderCommand } from './commands/order.ts';
import { addPaymentsCommand } from './commands/payments.ts';
import { addPayoutCommand } from './commands/payout.ts';
import { addProductCommand } from './commands/product.ts';
import { addSellerCommand } from './commands/seller.ts';
import { addServeCommand } from './commands/serve.ts';
import { addStatementCommand } from './commands/statement.ts';
import { addStatusCommand } from './commands/status.ts';
import { addVerifyCommand } from './commands/verify.ts';

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
  addAccountCommand(program);
  addClientCommand(program);
  addDepositCommand(program);
  addAdjustmentCommand(program);
  addPayoutCommand(program);
  addStatementCommand(program);
  addBooksCommand(program);
  addOrderCommand(program);
  addPaymentsCommand(program);
  addSellerCommand(program);
  addProductCommand(program);
  addOfferCommand(program);
  addKeysCommand(program);
  addCatalogueCommand(program);
  addMasterKeyCommand(program);
  addAuditCommand(program);
  addCompletionCommand(program);
  return program;
}
