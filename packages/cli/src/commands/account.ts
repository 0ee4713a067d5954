/** `keyport account`: the accounts of resellers. */
import type { Command } from 'commander';
import { addGroupCommand } from '../command-shape.ts';
import { addOperationCommand } from '../operation-command.ts';

export function addAccountCommand(program: Command): void {
  const account = addGroupCommand(program, 'account', 'Accounts of resellers');
  addOperationCommand(account, {
    name: 'list',
    operation: 'listAccounts',
    columns: ['id', 'name', 'status', 'paymentMethod', 'balance', 'discountPercent'],
    example: 'keyport account list --page 2',
  });
  addOperationCommand(account, {
    name: 'show',
    operation: 'getAccount',
    example: 'keyport account show 0b7e9c1e-53a4-4c9e-9f0f-6a4ce5f0d111',
  });
  addOperationCommand(account, {
    name: 'create',
    operation: 'createAccount',
    example: `keyport account create --name 'Acme Games' --payment-method balance`,
  });
  addOperationCommand(account, {
    name: 'update',
    operation: 'updateAccount',
    example: `keyport account update 0b7e9c1e-53a4-4c9e-9f0f-6a4ce5f0d111 --limits '{"dailySpendMax":"500.00"}'`,
  });
}
