/** The account's `gatewayCustomer` decides the outcome. */
import { once } from 'node:events';
import { type Charge, type ChargeResult, type Gateway, GatewayFailure } from './gateway.ts';

export function createGatewaySimulator(): Gateway {
  return {
    charge: respond,
    async find(charge, signal) {
      return charge.customer === 'sim_late' ? paid(charge) : respond(charge, signal);
    },
    refund: async () => 'done',
    findRefund: async () => 'done',
  };
}

async function respond(charge: Charge, signal: AbortSignal): Promise<ChargeResult> {
  switch (charge.customer) {
    case 'sim_ok':
      return paid(charge);
    case 'sim_error':
      throw new GatewayFailure('the simulated provider returns 500');
    case 'sim_timeout':
    case 'sim_late':
      await untilAborted(signal);
      throw new GatewayFailure('the simulated provider did not respond in time');
    default:
      return { status: 'declined' };
  }
}

function paid({ orderId }: Charge): ChargeResult {
  return { status: 'paid', reference: `sim_${orderId}` };
}

async function untilAborted(signal: AbortSignal): Promise<void> {
  if (!signal.aborted) await once(signal, 'abort');
}
