import { KeyportAdmin } from '@keyport/sdk/admin';
import { SERVICE_URL } from './place.ts';
import { BACKGROUND, currentSession, sessionEnded } from './session.ts';

const TIMEOUT_MS = 20_000;

function clientWith(headers: Readonly<Record<string, string>>, maxRetries: number): KeyportAdmin {
  return new KeyportAdmin({
    baseUrl: SERVICE_URL,
    timeoutMs: TIMEOUT_MS,
    maxRetries,
    accessToken: () => 'session',
    fetch: async (input, init) => {
      const sent = new Headers(init?.headers);
      sent.delete('authorization');
      const token = currentSession()?.csrfToken;
      if (token !== undefined && init?.method !== 'GET') sent.set('x-csrf-token', token);
      for (const [name, value] of Object.entries(headers)) sent.set(name, value);
      const response = await fetch(input, { ...init, headers: sent });
      if (response.status === 401) sessionEnded();
      return response;
    },
  });
}

export const admin = clientWith({}, 2);

/** For automatic reads: the next round is the retry. */
export const backgroundAdmin = clientWith(BACKGROUND, 0);
