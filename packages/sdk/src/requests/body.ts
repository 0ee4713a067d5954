import { KeyportConnectionError } from './errors.ts';

/** Rejects invalid UTF-8, because a damaged byte must not become different text. */
export function decodeText(bytes: ArrayBuffer): string {
  return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
}

/** Undefined if the text is not a JSON object. */
export function parseObject(text: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : undefined;
  } catch {
    return undefined;
  }
}

/** A proxy sent it, not the service. */
export class ForeignError extends KeyportConnectionError {
  readonly response: Response;

  constructor(what: string, response: Response) {
    super(
      `${what} returned ${response.status} with a body that is not Keyport's. Check baseUrl and the proxies in between.`,
    );
    this.response = response;
    Object.defineProperty(this, 'response', { enumerable: false });
  }
}
