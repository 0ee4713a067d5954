import type { OperationSpec } from '../operations/operation-spec.ts';
import { type NamedOperation, operationErrors } from '../operations.ts';
import { TOKEN_ERRORS } from '../token.ts';

export const SCENARIO_HEADER = 'Keyport-Scenario';
export const DELAY_MAX_MS = 60_000;

export const LOSSES = ['lost-request', 'lost-answer'] as const;

export const REFUSALS = { unavailable: 'service-unavailable', 'rate-limited': 'too-many-requests' } as const;
const ORDER_FATES = ['held', 'pending-payment', 'image-keys'] as const;
export type Loss = (typeof LOSSES)[number];
export type Refusal = keyof typeof REFUSALS;
export type OrderFate = (typeof ORDER_FATES)[number];
export function hasScenarios({ audience }: OperationSpec): boolean {
  return audience === 'reseller';
}

/** Reserved units never have image keys. */
const RESERVATION_FATES = ['held', 'pending-payment'] as const;

export function toFates({ name }: NamedOperation): readonly OrderFate[] {
  if (name === 'orderReservation') return RESERVATION_FATES;
  return name === 'createOrder' ? ORDER_FATES : [];
}

/** Whether checkout stores the operation's rejections under their idempotency keys. */
export function isCheckout({ name }: NamedOperation): boolean {
  return name === 'createOrder' || name === 'createReservation' || name === 'orderReservation';
}

export function toScenario(code: string): string {
  return `error:${code}`;
}

export function listScenarios(operation: NamedOperation): readonly string[] {
  return [...toFates(operation), ...toValues(operationErrors(operation))];
}

function toValues(codes: readonly string[]): readonly string[] {
  return [...LOSSES, ...Object.keys(REFUSALS), 'delay:2000', ...codes.map(toScenario)];
}

export const TOKEN_SCENARIOS = toValues(TOKEN_ERRORS);
