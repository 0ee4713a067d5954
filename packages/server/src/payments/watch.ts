/** Reports calls that reach the provider. */
import type { InSpan } from '../in-span.ts';
import type { BreakerState, GatewayCall } from '../metrics/metrics.ts';
import { type Gateway, NotCharged } from './gateway.ts';

export type GatewayWatcher = {
  readonly onGatewayCall?: ((call: GatewayCall) => void) | undefined;
  readonly onBreaker?: ((state: BreakerState) => void) | undefined;
  readonly inSpan: InSpan;
};

export function watchGateway(gateway: Gateway, { onGatewayCall, inSpan }: GatewayWatcher): Gateway {
  return {
    charge: (charge, signal) => watched('charge', () => gateway.charge(charge, signal)),
    find: (charge, signal) => watched('find', () => gateway.find(charge, signal)),
    refund: (refund, signal) => watched('refund', () => gateway.refund(refund, signal)),
    findRefund: (refund, signal) => watched('findRefund', () => gateway.findRefund(refund, signal)),
  };

  async function watched<Result extends string | { readonly status: string }>(
    call: keyof Gateway,
    work: () => Promise<Result>,
  ): Promise<Result> {
    const startedAtMs = performance.now();
    let outcome = 'failed';
    try {
      const result = await inSpan(`payment provider: ${call}`, work);
      outcome = typeof result === 'string' ? result : result.status;
      return result;
    } catch (error) {
      if (error instanceof NotCharged) outcome = 'not-charged';
      throw error;
    } finally {
      onGatewayCall?.({ call, outcome, durationMs: performance.now() - startedAtMs });
    }
  }
}
