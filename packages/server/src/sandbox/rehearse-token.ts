/** Real rejections are returned unchanged. A331. */
import type { TokenErrorCode } from '@keyport/contract/token';
import type { Reply } from '@keyport/http/replies/reply';
import type { Exchange, Route } from '@keyport/http/server/exchange';
import { CUT, waitFor } from './rehearse.ts';
import { parseTokenScenario, type TokenCode } from './scenario.ts';

export type RejectToken = (
  rejection: { readonly status: number; readonly error: TokenErrorCode; readonly description: string },
  headers?: Readonly<Record<string, string>>,
) => Reply;

export const TOKEN_PATH = '/oauth/token';
const RETRY_AFTER_SECONDS = 1;

const STATUSES: Readonly<Record<TokenCode, number>> = {
  invalid_request: 400,
  unsupported_grant_type: 400,
  invalid_client: 401,
  temporarily_unavailable: 503,
  unavailable: 503,
  'rate-limited': 429,
};

export function rehearseToken(route: Route, rejectToken: RejectToken, closing: AbortSignal): Route {
  const handle = async (exchange: Exchange): Promise<Reply> => {
    const header = exchange.headers.keyportScenario;
    if (header === undefined) return route.handle(exchange);
    const { outcome, loss, delayMs = 0 } = parseTokenScenario(header);
    const reply = await route.handle(exchange);
    if (reply.status !== 200) return reply;
    await waitFor(exchange, delayMs, closing);
    if (loss !== undefined) return CUT;
    return outcome !== undefined && 'code' in outcome ? force(outcome.code, rejectToken) : reply;
  };
  return { ...route, takesScenario: true, handle };
}

function force(code: TokenCode, rejectToken: RejectToken): Reply {
  const status = STATUSES[code];
  const isTemporary = status === 429 || status === 503;
  const error = code === 'unavailable' || code === 'rate-limited' ? 'temporarily_unavailable' : code;
  const description = 'Keyport-Scenario forced this error.';
  const headers = isTemporary ? { 'retry-after': String(RETRY_AFTER_SECONDS) } : {};
  return rejectToken({ status, error, description }, headers);
}
