/**
 * The payment provider of sandbox mode. The account's `gatewayCustomer` decides how it behaves, so that an integrator
 * can see every outcome of the contract. Decisions section 5.
 */
import { once } from 'node:events';
import type { Gateway } from './gateway.ts';

export const SIMULATED_CUSTOMERS = [
  'sim_ok',
  'sim_declined',
  'sim_error',
  'sim_timeout',
  'sim_late',
] as const;

export function createGatewaySimulator(): Gateway {
  return {
    async charge({ customer }, signal) {
      switch (customer) {
        case 'sim_ok':
          return 'paid';
        case 'sim_error':
          throw new Error('the simulated provider answers 500');
        case 'sim_timeout':
        case 'sim_late':
          await untilAborted(signal);
          throw new Error('the simulated provider did not answer in time');
        default:
          return 'declined';
      }
    },
    async find({ customer }, signal) {
      switch (customer) {
        case 'sim_ok':
        case 'sim_late':
          return 'paid';
        case 'sim_error':
          throw new Error('the simulated provider answers 500');
        case 'sim_timeout':
          await untilAborted(signal);
          return 'unknown';
        default:
          return 'declined';
      }
    },
    async refund() {},
  };
}

async function untilAborted(signal: AbortSignal): Promise<void> {
  if (!signal.aborted) await once(signal, 'abort');
}
