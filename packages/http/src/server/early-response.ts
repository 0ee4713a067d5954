import type { IncomingMessage, ServerResponse } from 'node:http';
import { isWithoutBody } from '../validation/body.ts';

const LINGER_MS = 2_000;

const complete = new WeakSet<ServerResponse>();

/** True if only the rest of the request's body is awaited. */
export function isCompleteEarly(response: ServerResponse): boolean {
  return complete.has(response);
}

/**
 * Ends a response, which may come while its request's body is still sent. Closing a socket with unread bytes resets it:
 * the sender, such as nginx, loses the response and reports 502. So the rest of the body is read before the end.
 */
export function endResponse(
  request: IncomingMessage,
  response: ServerResponse,
  body: Buffer | string | undefined,
): void {
  if (request.complete || isWithoutBody(request)) {
    response.end(body);
    return;
  }
  complete.add(response);
  if (body === undefined) response.flushHeaders();
  else response.write(body);
  const cut = setTimeout(() => response.end(() => request.socket.destroy()), LINGER_MS).unref();
  const end = () => {
    clearTimeout(cut);
    response.end();
  };
  request.once('end', end).once('close', end).resume();
}
