/** `keyport deposit`: money that came in for an account. */
import type { Command } from 'commander';
import { addOperationCommand } from '../operation-command.ts';

export function addDepositCommand(program: Command): void {
  addOperationCommand(program, {
    name: 'deposit',
    operation: 'createDeposit',
    bodyArguments: ['amount', 'reference'],
    example: 'keyport deposit 0b7e9c1e-53a4-4c9e-9f0f-6a4ce5f0d111 250.00 bank-2026-11-21-7',
    describeStatus: {
      200: 'This reference was booked before; nothing has changed:',
      201: 'The deposit is booked:',
    },
  });
}
