import type { ChargeResult, Gateway } from '../payments/gateway.ts';

export const WAITING_CUSTOMER = 'scenario_waits';
export const DECLINING_CUSTOMER = 'scenario_declines';
const REFERENCE_PREFIX = 'scenario_';

const RESULTS: Readonly<Record<string, ChargeResult>> = {
  [WAITING_CUSTOMER]: { status: 'pending' },
  [DECLINING_CUSTOMER]: { status: 'declined' },
};

export function rehearseGateway(gateway: Gateway): Gateway {
  return {
    charge: async (charge, signal) => RESULTS[charge.customer] ?? gateway.charge(charge, signal),
    find: async (charge, signal) => RESULTS[charge.customer] ?? gateway.find(charge, signal),
    refund: async (refund, signal) => (isOurs(refund) ? 'done' : gateway.refund(refund, signal)),
    findRefund: async (refund, signal) => (isOurs(refund) ? 'done' : gateway.findRefund(refund, signal)),
  };
}

export function settledReference(orderId: string): string {
  return `${REFERENCE_PREFIX}${orderId}`;
}

function isOurs({ reference }: { readonly reference: string | null }): boolean {
  return reference?.startsWith(REFERENCE_PREFIX) === true;
}
