import fastJson from 'fast-json-stringify';
import type { TSchema } from 'typebox';

/** Responses repeat texts of requests, and with them our own format of texts that must not be blank. */
const OPTIONS = { ajv: { formats: { filled: true as const } } };

export function toSerializer(schema: TSchema): (body: unknown) => string {
  return fastJson(schema, OPTIONS);
}
