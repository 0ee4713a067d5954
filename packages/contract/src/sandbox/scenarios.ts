/**
 * The values of the header Keyport-Scenario, by operation. A reseller forces outcomes in the sandbox with it. The service,
 * the reference, the pages of error codes and the tests use this table.
 */

import type { OperationSpec } from '../operations/operation-spec.ts';
import { type OperationName, operationErrors } from '../operations.ts';
import { TOKEN_ERRORS } from '../token.ts';

export const SCENARIO_HEADER = 'Keyport-Scenario';

export const DELAY_MAX_MS = 60_000;

/** Losses on the way; they combine with everything that does not contradict them. */
export const LOSSES = ['lost-request', 'lost-answer'] as const;

/** Responses of any operation besides its error codes. */
export const REFUSALS = { unavailable: 'service-unavailable', 'rate-limited': 'too-many-requests' } as const;

const ORDER_FATES = ['held', 'pending-payment', 'image-keys'] as const;

export type Loss = (typeof LOSSES)[number];

export type Refusal = keyof typeof REFUSALS;

export type OrderFate = (typeof ORDER_FATES)[number];

type NamedOperation = OperationSpec & { readonly name: OperationName };

export function hasScenarios({ audience }: OperationSpec): boolean {
  return audience === 'reseller';
}

/** Reserved units are no images. */
const RESERVATION_FATES = ['held', 'pending-payment'] as const;

export function fatesOf({ name }: NamedOperation): readonly OrderFate[] {
  if (name === 'orderReservation') return RESERVATION_FATES;
  return name === 'createOrder' ? ORDER_FATES : [];
}

/** Operations whose rejections come from checkout, which stores them for their key. */
export function isCheckout({ name }: NamedOperation): boolean {
  return name === 'createOrder' || name === 'createReservation' || name === 'orderReservation';
}

export function scenarioOf(code: string): string {
  return `error:${code}`;
}

/** One value of each kind that the operation has. */
export function listScenarios(operation: NamedOperation): readonly string[] {
  return [...fatesOf(operation), ...valuesOf(operationErrors(operation))];
}

function valuesOf(codes: readonly string[]): readonly string[] {
  return [...LOSSES, ...Object.keys(REFUSALS), 'delay:2000', ...codes.map(scenarioOf)];
}

export const TOKEN_SCENARIOS = valuesOf(TOKEN_ERRORS);
