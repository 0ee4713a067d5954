import type { KeyportOptions } from '../options.ts';
import { decodeText, ForeignError, parseObject } from './body.ts';
import { checkedText } from './checked-text.ts';
import { KeyportConnectionError, KeyportError, KeyportTimeoutError } from './errors.ts';
import type { Send } from './observed-fetch.ts';
import { monotonicMs, within } from './time.ts';

const TOKEN_TIMEOUT_MS = 15_000;
/** Renewed this long before it expires, or a tenth of its life if that is shorter. */
const RENEW_BEFORE_MS = 60_000;

/** Fetches once for all waiting callers, and again when the service rejects the token. */
export type TokenSource = {
  get(rejected: string | undefined, signal: AbortSignal): Promise<string>;
};

export type TokenRequest = {
  readonly url: string;
  readonly clientId: string;
  clientSecret: NonNullable<KeyportOptions['clientSecret']>;
  readonly fetch: Send;
};

type Pending = { readonly token: Promise<string>; readonly controller: AbortController; callers: number };

export function cachedToken(request: TokenRequest): TokenSource {
  let held: { readonly value: string; readonly endsAtMs: number } | undefined;
  let pending: Pending | undefined;
  const renew = async (signal: AbortSignal) => {
    const { value, lifeMs, sentAtMs } = await fetchToken(request, signal);
    held = { value, endsAtMs: sentAtMs + lifeMs - Math.min(RENEW_BEFORE_MS, lifeMs / 10) };
    return value;
  };
  const start = (): Pending => {
    const controller = new AbortController();
    const started = { token: renew(controller.signal), controller, callers: 0 };
    const end = () => {
      if (pending === started) pending = undefined;
    };
    started.token.then(end, end);
    return started;
  };
  return {
    async get(rejected, signal) {
      if (held !== undefined && held.value !== rejected && monotonicMs() < held.endsAtMs) return held.value;
      pending ??= start();
      const joined = pending;
      joined.callers += 1;
      const leave = () => {
        joined.callers -= 1;
        if (joined.callers > 0) return;
        // No caller waits any longer, and the request must not keep the process alive.
        if (pending === joined) pending = undefined;
        joined.controller.abort();
      };
      signal.addEventListener('abort', leave, { once: true });
      try {
        return await joined.token;
      } finally {
        signal.removeEventListener('abort', leave);
      }
    },
  };
}

async function fetchToken({ url, clientId, clientSecret, fetch }: TokenRequest, signal: AbortSignal) {
  const secret =
    typeof clientSecret === 'function' ? checkedText('clientSecret', await clientSecret()) : clientSecret;
  const sentAtMs = monotonicMs();
  const reason = () => new KeyportTimeoutError(`${url} did not respond within ${TOKEN_TIMEOUT_MS / 1000} s.`);
  const { response, text } = await within({ ms: TOKEN_TIMEOUT_MS, signal, reason }, async (signal) => {
    const response = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded', accept: 'application/json' },
      body: new URLSearchParams({
        grant_type: 'client_credentials',
        client_id: clientId,
        client_secret: secret,
      }).toString(),
      // A redirect would send the secret elsewhere.
      redirect: 'manual',
      signal,
    });
    return { response, text: decodeText(await response.arrayBuffer()) };
  }).catch((cause: unknown) => {
    if (cause instanceof KeyportTimeoutError) throw cause;
    throw new KeyportConnectionError(`No token: ${url} could not be reached.`, { cause });
  });
  const members = parseObject(text) ?? {};
  const { access_token: value, expires_in: seconds, error: code, error_description: description } = members;
  if (response.ok && typeof value === 'string' && typeof seconds === 'number' && seconds > 0) {
    return { value, lifeMs: seconds * 1000, sentAtMs };
  }
  if (response.ok || typeof code !== 'string') throw new ForeignError(`POST ${url}`, response);
  throw new KeyportError({
    status: response.status,
    code,
    message: typeof description === 'string' ? description : `No token: ${code}.`,
    traceId: response.headers.get('x-trace-id') ?? undefined,
    response,
  });
}
