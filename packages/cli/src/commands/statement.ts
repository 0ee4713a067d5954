/** `keyport statement`: every movement of an account's balance. */
import type { Command } from 'commander';
import { addOperationCommand } from '../operation-command.ts';

export function addStatementCommand(program: Command): void {
  addOperationCommand(program, {
    name: 'statement',
    operation: 'getStatement',
    columns: ['createdAt', 'kind', 'amount', 'balance', 'orderId', 'reference'],
    example: 'keyport statement 0b7e9c1e-53a4-4c9e-9f0f-6a4ce5f0d111',
  });
}
