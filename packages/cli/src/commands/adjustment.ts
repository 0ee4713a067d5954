/** `keyport adjustment`: corrects a balance by a booking of its own. */
import type { Command } from 'commander';
import { addOperationCommand } from '../operation-command.ts';

export function addAdjustmentCommand(program: Command): void {
  addOperationCommand(program, {
    name: 'adjustment',
    operation: 'createAdjustment',
    bodyArguments: ['direction', 'amount', 'reference'],
    example: `keyport adjustment 0b7e9c1e-53a4-4c9e-9f0f-6a4ce5f0d111 credit 5.00 case-811 --reason 'Bank fee taken back'`,
    describeStatus: {
      200: 'This reference was booked before; nothing has changed:',
      201: 'The adjustment is booked:',
    },
  });
}
