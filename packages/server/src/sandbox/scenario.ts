/** A331. */
import type { ErrorCode } from '@keyport/contract/errors';
import { type OperationName, operationErrors } from '@keyport/contract/operations';
import type { OperationSpec } from '@keyport/contract/operations/operation-spec';
import {
  DELAY_MAX_MS,
  LOSSES,
  type Loss,
  type OrderFate,
  REFUSALS,
  type Refusal,
  toFates,
} from '@keyport/contract/sandbox/scenarios';
import { TOKEN_ERRORS, type TokenErrorCode } from '@keyport/contract/token';
import { type ApiError, invalidField } from '@keyport/http/replies/api-error';

export type Scenario<Code extends string = ErrorCode> = {
  /** Undefined: the ordinary result. */
  readonly outcome?: { readonly code: Code } | { readonly fate: OrderFate };
  readonly loss?: Loss;
  readonly delayMs?: number;
};

type Vocabulary<Code extends string> = {
  readonly codes: readonly Code[];
  readonly refusals: Readonly<Record<Refusal, Code>>;
  readonly fates: readonly OrderFate[];
};

/** For tokens, 429 and 503 share an error code. */
export type TokenCode = TokenErrorCode | Refusal;
const OF_TOKENS: Vocabulary<TokenCode> = {
  codes: TOKEN_ERRORS,
  refusals: { unavailable: 'unavailable', 'rate-limited': 'rate-limited' },
  fates: [],
};

export function parseScenario(
  header: string,
  operation: OperationSpec & { readonly name: OperationName },
): Scenario {
  return parse(header, { codes: operationErrors(operation), refusals: REFUSALS, fates: toFates(operation) });
}

export function parseTokenScenario(header: string): Scenario<TokenCode> {
  return parse(header, OF_TOKENS);
}

type Part<Code extends string> = { readonly kind: keyof Scenario; readonly scenario: Scenario<Code> };

function parse<Code extends string>(header: string, vocabulary: Vocabulary<Code>): Scenario<Code> {
  const parts = new Map<keyof Scenario, Part<Code> & { readonly value: string }>();
  for (const value of header.split(',').map((text) => text.trim())) {
    const part = parsePart(value, vocabulary);
    const other = parts.get(part.kind);
    if (other !== undefined) throw contradiction(other.value, value);
    parts.set(part.kind, { ...part, value });
  }
  const [loss, outcome] = [parts.get('loss'), parts.get('outcome')];
  if (loss?.value === 'lost-request' && outcome !== undefined) throw contradiction(loss.value, outcome.value);
  return Object.assign({}, ...Array.from(parts.values(), ({ scenario }) => scenario));
}

function parsePart<Code extends string>(value: string, vocabulary: Vocabulary<Code>): Part<Code> {
  const { refusals, fates } = vocabulary;
  const [name = '', ...rest] = value.split(':');
  const argument = rest.length === 0 ? undefined : rest.join(':');
  if (name === 'error')
    return { kind: 'outcome', scenario: { outcome: { code: parseCode(argument, vocabulary) } } };
  if (name === 'delay') return { kind: 'delayMs', scenario: { delayMs: parseDelay(argument) } };
  const loss = LOSSES.find((one) => one === value);
  if (loss !== undefined) return { kind: 'loss', scenario: { loss } };
  if (isRefusal(value)) return { kind: 'outcome', scenario: { outcome: { code: refusals[value] } } };
  const fate = fates.find((one) => one === value);
  if (fate !== undefined) return { kind: 'outcome', scenario: { outcome: { fate } } };
  throw broken(`must list scenarios of this operation, separated by commas: ${listValues(fates)}`);
}

function parseCode<Code extends string>(text: string | undefined, { codes }: Vocabulary<Code>): Code {
  const code = codes.find((one) => one === text);
  if (code !== undefined) return code;
  throw broken(`must have error: followed by a code that this operation returns, one of ${codes.join(', ')}`);
}

function parseDelay(text: string | undefined): number {
  const delayMs = /^\d{1,5}$/.test(text ?? '') ? Number(text) : Number.NaN;
  if (delayMs <= DELAY_MAX_MS) return delayMs;
  throw broken(`must have delay: followed by a whole number of milliseconds, at most ${DELAY_MAX_MS}`);
}

function isRefusal(value: string): value is Refusal {
  return Object.hasOwn(REFUSALS, value);
}

function listValues(fates: readonly OrderFate[]): string {
  return [...fates, ...LOSSES, ...Object.keys(REFUSALS), 'delay:<ms>', 'error:<code>'].join(', ');
}

function contradiction(one: string, other: string): ApiError {
  const rule = one === other ? `names ${one} twice` : `has ${one} and ${other}, which exclude each other`;
  return broken(`${rule}; send one of them`);
}

function broken(rule: string): ApiError {
  return invalidField('headers.keyport-scenario', rule);
}
