/**
 * What a reseller can force in the sandbox with the header Keyport-Scenario: the values, and which operation has which.
 * The service reads the header by this table; the reference, the pages of error codes and the tests are made from it.
 */

import type { OperationSpec } from '../operations/operation-spec.ts';
import { type OperationName, operationErrors } from '../operations.ts';
import { TOKEN_ERRORS } from '../token.ts';

export const SCENARIO_HEADER = 'Keyport-Scenario';

export const DELAY_MAX_MS = 60_000;

/** How a request or its response travels; they combine with everything that does not contradict them. */
export const LOSSES = ['lost-request', 'lost-answer'] as const;

/** Answers of any operation beside its error codes. */
export const REFUSALS = { unavailable: 'service-unavailable', 'rate-limited': 'too-many-requests' } as const;

/** What becomes of an order that is placed. */
const ORDER_FATES = ['held', 'pending-payment', 'image-keys'] as const;

export type Loss = (typeof LOSSES)[number];

export type Refusal = keyof typeof REFUSALS;

export type OrderFate = (typeof ORDER_FATES)[number];

type NamedOperation = OperationSpec & { readonly name: OperationName };

/** Only operations of resellers have scenarios. */
export function hasScenarios({ audience }: OperationSpec): boolean {
  return audience === 'reseller';
}

export function fatesOf({ name }: NamedOperation): readonly OrderFate[] {
  return name === 'createOrder' ? ORDER_FATES : [];
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
