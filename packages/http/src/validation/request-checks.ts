import { ApiError, invalidField } from '../replies/api-error.ts';
import type { Exchange } from '../server/exchange.ts';
import { isHost } from '../server/header-lines.ts';

/** The connection must close because the start of the next request is unknown. */
const CLOSE = { connection: 'close' };

const SCENARIO_RULE = 'is only for reseller operations in the sandbox; leave it out here';

export function checkRequest(
  { request, response, url, headers, route }: Exchange,
  limits: { readonly headerLinesMax: number; readonly urlSizeBytesMax: number },
): void {
  if (request.rawHeaders.length > limits.headerLinesMax * 2) {
    throw new ApiError('headers-too-large', { headers: CLOSE });
  }
  if (url.length > limits.urlSizeBytesMax) {
    throw new ApiError('uri-too-long', { data: { limit: limits.urlSizeBytesMax } });
  }
  const { transferEncoding, host, keyportScenario, upgrade } = headers;
  // The bytes after this request may be in the other protocol.
  if (upgrade !== undefined) response.setHeader('connection', 'close');
  // A proxy that ignores it there would see another request in the body (RFC 9112 section 6.1).
  if (transferEncoding !== undefined && request.httpVersion !== '1.1') {
    throw invalidField('headers.transfer-encoding', 'needs HTTP/1.1', CLOSE);
  }
  if (transferEncoding !== undefined && transferEncoding.toLowerCase() !== 'chunked') {
    throw badTransferEncoding(transferEncoding);
  }
  if (host === undefined && request.httpVersion === '1.1') {
    throw invalidField('headers.host', 'is required', CLOSE);
  }
  if (host !== undefined && !isHost(host)) {
    throw invalidField('headers.host', 'must be one host name or address, with or without a port', CLOSE);
  }
  // Ignoring it would turn a rehearsal into a real order (A330).
  if (keyportScenario !== undefined && route.takesScenario !== true) {
    throw invalidField('headers.keyport-scenario', SCENARIO_RULE);
  }
}

/** Unless chunked comes last, the body's length is unknown (RFC 9112 section 6.3). */
function badTransferEncoding(transferEncoding: string): ApiError {
  return /(?:^|,)[ \t]*chunked$/i.test(transferEncoding)
    ? new ApiError('not-implemented', { headers: CLOSE })
    : invalidField('headers.transfer-encoding', 'must be chunked', CLOSE);
}
