/** Equal requests have equal payloads. An omitted member differs from its default. A202. */
import { AmountInput, PercentInput, UuidInput } from '@keyport/contract/formats';
import type { OperationSpec } from '@keyport/contract/operations/operation-spec';

/** Increment it when the rules change, so that payloads recorded under earlier rules differ. */
const VERSION = 1;

type JsonSchema = {
  readonly type?: string;
  readonly pattern?: string;
  readonly anyOf?: readonly JsonSchema[];
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly items?: JsonSchema;
};

const UUID: JsonSchema = UuidInput;
const AMOUNT: JsonSchema = AmountInput;
const PERCENT: JsonSchema = PercentInput;

export function canonicalPayload(
  { params, query, body }: OperationSpec,
  request: { readonly params: unknown; readonly query: unknown; readonly body: unknown },
): string {
  return JSON.stringify([
    VERSION,
    canonical(params, request.params),
    canonical(query, request.query),
    canonical(body, request.body),
  ]);
}

function canonical(schema: JsonSchema | undefined, value: unknown): unknown {
  const own = schema?.anyOf?.find(({ type }) => type !== 'null') ?? schema;
  if (Array.isArray(value)) return value.map((item) => canonical(own?.items, item));
  if (typeof value === 'object' && value !== null) {
    return Object.entries(value)
      .toSorted(([one], [other]) => (one < other ? -1 : 1))
      .map(([name, member]) => [name, canonical(own?.properties?.[name], member)]);
  }
  return typeof value === 'string' ? canonicalText(own?.pattern, value) : value;
}

function canonicalText(pattern: string | undefined, text: string): string {
  switch (pattern) {
    case UUID.pattern:
      return text.toLowerCase();
    case AMOUNT.pattern:
    case PERCENT.pattern:
      return text.includes('.') ? text.replace(/\.?0+$/, '') : text;
    default:
      return text;
  }
}
