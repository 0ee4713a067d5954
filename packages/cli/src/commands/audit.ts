/** `keyport audit`: who read keys, and what operators did. */
import type { Command } from 'commander';
import { addOperationCommand } from '../operation-command.ts';

export function addAuditCommand(program: Command): void {
  addOperationCommand(program, {
    name: 'audit',
    operation: 'listAudit',
    columns: ['at', 'action', 'clientId', 'accountId', 'orderId', 'data'],
    example: 'keyport audit --action keys.read --items-per-page 20',
  });
}
