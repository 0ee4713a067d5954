/** `keyport payout`: money of a balance that went back to the reseller. */
import type { Command } from 'commander';
import { addOperationCommand } from '../operation-command.ts';

export function addPayoutCommand(program: Command): void {
  addOperationCommand(program, {
    name: 'payout',
    operation: 'createPayout',
    bodyArguments: ['amount', 'reference'],
    example: 'keyport payout 0b7e9c1e-53a4-4c9e-9f0f-6a4ce5f0d111 120.00 bank-2026-11-30-2',
    describeStatus: {
      200: 'This reference was booked before; nothing has changed:',
      201: 'The pay-out is booked:',
    },
  });
}
