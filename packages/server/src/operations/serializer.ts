import fastJson from 'fast-json-stringify';
import type { TSchema } from 'typebox';

/** Responses repeat texts of requests, and with them our own format of texts that must not be blank. */
const OPTIONS = { ajv: { formats: { filled: true as const } } };

/** Compiles at the first use. */
export function toSerializer(schema: TSchema): (body: unknown) => string {
  let serialize: ((body: unknown) => string) | undefined;
  return (body) => {
    serialize ??= fastJson(schema, OPTIONS);
    return serialize(body);
  };
}
