/** Sends a request as this version of the SDK, and shows it to the hooks. */

import { SDK_VERSION } from './generated/reseller-contract.ts';
import type { KeyportOptions, ReceivedResponse, SentRequest } from './options.ts';
import { monotonicMs } from './time.ts';

/** Like `fetch`; `attempt` counts the requests of a call from 1. */
export type Send = (url: string, init: RequestInit, attempt?: number) => Promise<Response>;

export function observedFetch({
  fetch,
  onRequest,
  onResponse,
}: Pick<KeyportOptions, 'fetch' | 'onRequest' | 'onResponse'>): Send {
  return async (url, given, attempt = 1) => {
    const headers = new Headers(given.headers);
    // A page of a browser may not name another agent, and some ask the server first whether it may.
    if (!isBrowser() && !headers.has('user-agent')) headers.set('user-agent', `keyport-sdk/${SDK_VERSION}`);
    const shown = new Headers(headers);
    shown.delete('authorization');
    const request: SentRequest = { method: given.method ?? 'GET', url, headers: shown, attempt };
    tell(onRequest, request);
    const sentAtMs = monotonicMs();
    const ended = (outcome: Pick<ReceivedResponse, 'status' | 'headers' | 'error'>) =>
      tell(onResponse, { request, ...outcome, durationMs: monotonicMs() - sentAtMs });
    try {
      // Looked up for each request, and called without `this`: browsers take no other than their global object.
      const response = await (fetch ?? globalThis.fetch)(url, {
        ...given,
        headers: Object.fromEntries(headers),
      });
      ended({ status: response.status, headers: new Headers(response.headers), error: undefined });
      return response;
    } catch (error) {
      ended({ status: undefined, headers: new Headers(), error });
      throw error;
    }
  };
}

function isBrowser(): boolean {
  return /^Mozilla\//.test(globalThis.navigator?.userAgent ?? '');
}

/** An order that was placed stays one, whatever a hook makes of it. */
function tell<Info>(hook: ((info: Info) => unknown) | undefined, info: Info): void {
  if (hook === undefined) return;
  new Promise((resolve) => resolve(hook(info))).catch((error: unknown) => {
    console.error('A hook of the Keyport client failed:', error);
  });
}
