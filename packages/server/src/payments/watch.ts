/** Reports calls that really reach the provider, with their duration and outcome. */

import type { InSpan } from '../in-span.ts';
import { type Gateway, NotCharged } from './gateway.ts';
import type { BreakerState } from './guard.ts';

type GatewayCall = {
  readonly call: keyof Gateway;
  /** The provider's outcome, `not-charged`, or `failed` if the outcome is unknown. */
  readonly outcome: string;
  readonly durationMs: number;
};

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

  async function watched<Answer extends string | { readonly status: string }>(
    call: keyof Gateway,
    ask: () => Promise<Answer>,
  ): Promise<Answer> {
    const startedAtMs = performance.now();
    let outcome = 'failed';
    try {
      const answer = await inSpan(`payment provider: ${call}`, ask);
      outcome = typeof answer === 'string' ? answer : answer.status;
      return answer;
    } catch (error) {
      if (error instanceof NotCharged) outcome = 'not-charged';
      throw error;
    } finally {
      onGatewayCall?.({ call, outcome, durationMs: performance.now() - startedAtMs });
    }
  }
}
