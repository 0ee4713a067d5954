import { KeyportConnectionError, KeyportError } from '@keyport/sdk/admin';
import { SERVICE_URL } from './place.ts';

/** Throws KeyportError for everything but a success. */
export async function request(path: string, init: RequestInit): Promise<Response> {
  const response = await fetch(SERVICE_URL + path, init).catch((cause: unknown) => {
    throw new KeyportConnectionError('No response came.', { cause });
  });
  if (response.ok) return response;
  const { error = {}, traceId } = await response.json().catch(() => ({}));
  const { code = 'internal-server-error', message = response.statusText, errors } = error;
  throw new KeyportError({ status: response.status, code, message, errors, traceId });
}
