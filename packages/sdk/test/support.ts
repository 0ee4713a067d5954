import type { Check } from '@keyport/contract/sandbox/sandbox';
import type { Harness, Reseller } from '../../server/test/support/harness.ts';
import { Keyport } from '../src/keyport.ts';
import type { KeyportOptions } from '../src/options.ts';

export type Sent = { readonly method: string; readonly path: string; readonly headers: Headers };

export function toKeyport(
  h: Pick<Harness, 'url'>,
  reseller: Reseller,
  options: Partial<KeyportOptions> = {},
) {
  const { clientId, clientSecret } = reseller;
  return new Keyport({ baseUrl: h.url, clientId, clientSecret, timeoutMs: 20_000, ...options });
}

/**
 * A `fetch` that records each request, and passes it to `disturb`, which may send it with `send`, respond, or
 * throw.
 */
export function watchedFetch(
  disturb: (sent: Sent, send: () => Promise<Response>, index: number) => Promise<Response> = (_, send) =>
    send(),
) {
  const sent: Sent[] = [];
  const watched: typeof fetch = (input, init) => {
    const url = new URL(String(input));
    const one = {
      method: init?.method ?? 'GET',
      path: url.pathname + url.search,
      headers: new Headers(init?.headers),
    };
    sent.push(one);
    return disturb(one, () => fetch(input, init), sent.length - 1);
  };
  return { fetch: watched, sent };
}

export function errorAnswer(status: number, code: string, headers: Record<string, string> = {}): Response {
  return Response.json(
    { traceId: 'a'.repeat(32), error: { code, message: code, status } },
    { status, headers },
  );
}

export const isOrder = ({ method, path }: Sent) => method === 'POST' && path.startsWith('/export/v1/orders');

export async function failedChecks(h: Pick<Harness, 'call'>, { token }: Reseller): Promise<Check[]> {
  const { body } = await h.call('GET', '/sandbox/v1/checkup', { token });
  return body.data.checks.filter(({ status }: Check) => status === 'failed');
}
