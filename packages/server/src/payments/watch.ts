/** Reports every call that a payment provider was really asked, with its time and what came of it. */

import type { InSpan } from '../in-span.ts';
import { type Gateway, NotCharged } from './gateway.ts';
import type { BreakerState } from './guard.ts';

type GatewayCall = {
  readonly call: keyof Gateway;
  /** What the provider answered, `not-charged`, or `failed`: what happened is not known. */
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
    charge: (charge, signal) =>
      watched(
        'charge',
        () => gateway.charge(charge, signal),
        ({ status }) => status,
      ),
    find: (charge, signal) =>
      watched(
        'find',
        () => gateway.find(charge, signal),
        ({ status }) => status,
      ),
    refund: (refund, signal) =>
      watched(
        'refund',
        () => gateway.refund(refund, signal),
        (answer) => answer,
      ),
    findRefund: (refund, signal) =>
      watched(
        'findRefund',
        () => gateway.findRefund(refund, signal),
        (answer) => answer,
      ),
  };

  async function watched<Answer>(
    call: keyof Gateway,
    ask: () => Promise<Answer>,
    outcomeOf: (answer: Answer) => string,
  ): Promise<Answer> {
    const startedAtMs = performance.now();
    let outcome = 'failed';
    try {
      const answer = await inSpan(`payment provider: ${call}`, ask);
      outcome = outcomeOf(answer);
      return answer;
    } catch (error) {
      if (error instanceof NotCharged) outcome = 'not-charged';
      throw error;
    } finally {
      onGatewayCall?.({ call, outcome, durationMs: performance.now() - startedAtMs });
    }
  }
}
