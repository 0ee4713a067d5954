/** Reads the header Keyport-Scenario: which of the operation's scenarios its sender wants, and that they agree. A331. */
import { ERROR_CODES, type ErrorCode } from '@keyport/contract/errors';
import { type OperationName, type OperationSpec, operationErrors } from '@keyport/contract/operations';
import {
  DELAY_MAX_MS,
  fatesOf,
  LOSSES,
  type Loss,
  type OrderFate,
  REFUSALS,
  type Refusal,
} from '@keyport/contract/scenarios';
import { type ApiError, invalidField } from '../http/api-error.ts';

export type Scenario = {
  /** How the operation ends; undefined: by itself. */
  readonly outcome?: { readonly code: ErrorCode } | { readonly fate: OrderFate };
  readonly loss?: Loss;
  readonly delayMs?: number;
};

type Part = { readonly kind: keyof Scenario; readonly scenario: Scenario };

/** Throws validation-error. */
export function parseScenario(
  header: string,
  operation: OperationSpec & { readonly name: OperationName },
): Scenario {
  const parts = new Map<keyof Scenario, Part & { readonly value: string }>();
  for (const value of header.split(',').map((text) => text.trim())) {
    const part = parsePart(value, operation);
    const other = parts.get(part.kind);
    if (other !== undefined) throw contradiction(other.value, value);
    parts.set(part.kind, { ...part, value });
  }
  const [loss, outcome] = [parts.get('loss'), parts.get('outcome')];
  if (loss?.value === 'lost-request' && outcome !== undefined) throw contradiction(loss.value, outcome.value);
  return Object.assign({}, ...Array.from(parts.values(), ({ scenario }) => scenario));
}

function parsePart(value: string, operation: OperationSpec & { readonly name: OperationName }): Part {
  const [name = '', ...rest] = value.split(':');
  const argument = rest.length === 0 ? undefined : rest.join(':');
  if (name === 'error')
    return { kind: 'outcome', scenario: { outcome: { code: parseCode(argument, operation) } } };
  if (name === 'delay') return { kind: 'delayMs', scenario: { delayMs: parseDelay(argument) } };
  const loss = LOSSES.find((one) => one === value);
  if (loss !== undefined) return { kind: 'loss', scenario: { loss } };
  if (isRefusal(value)) return { kind: 'outcome', scenario: { outcome: { code: REFUSALS[value] } } };
  const fate = fatesOf(operation).find((one) => one === value);
  if (fate !== undefined) return { kind: 'outcome', scenario: { outcome: { fate } } };
  throw broken(`must be scenarios of this operation with commas between them: ${listValues(operation)}`);
}

function parseCode(text: string | undefined, operation: OperationSpec): ErrorCode {
  const code = ERROR_CODES.find((one) => one === text);
  const codes = operationErrors(operation);
  if (code !== undefined && codes.includes(code)) return code;
  throw broken(`must name after error: a code that this operation answers: ${codes.join(', ')}`);
}

function parseDelay(text: string | undefined): number {
  const delayMs = /^\d{1,5}$/.test(text ?? '') ? Number(text) : Number.NaN;
  if (delayMs <= DELAY_MAX_MS) return delayMs;
  throw broken(`must have after delay: a whole number of milliseconds, at most ${DELAY_MAX_MS}`);
}

function isRefusal(value: string): value is Refusal {
  return Object.hasOwn(REFUSALS, value);
}

function listValues(operation: OperationSpec & { readonly name: OperationName }): string {
  const values = [...fatesOf(operation), ...LOSSES, ...Object.keys(REFUSALS), 'delay:<ms>', 'error:<code>'];
  return values.join(', ');
}

function contradiction(one: string, other: string): ApiError {
  const rule = one === other ? `names ${one} twice` : `has ${one} and ${other}, which exclude each other`;
  return broken(`${rule}; send one of them`);
}

function broken(rule: string): ApiError {
  return invalidField('headers.keyport-scenario', rule);
}
