import { SDK_VERSION } from '../generated/reseller-contract.ts';
import type { KeyportOptions, ReceivedResponse, SentRequest } from '../options.ts';
import { monotonicMs } from './time.ts';

/** `attempt` counts the requests of a call from 1. */
export type Send = (url: string, init: RequestInit, attempt?: number) => Promise<Response>;

export function observedFetch({
  fetch,
  onRequest,
  onResponse,
}: Pick<KeyportOptions, 'fetch' | 'onRequest' | 'onResponse'>): Send {
  return async (url, init, attempt = 1) => {
    const headers = new Headers(init.headers);
    // Browsers forbid a different User-Agent, or send a preflight request for it.
    if (!isBrowser() && !headers.has('user-agent')) headers.set('user-agent', `keyport-sdk/${SDK_VERSION}`);
    const shown = new Headers(headers);
    shown.delete('authorization');
    const request: SentRequest = { method: init.method ?? 'GET', url, headers: shown, attempt };
    notify(onRequest, request);
    const sentAtMs = monotonicMs();
    const ended = (outcome: Pick<ReceivedResponse, 'status' | 'headers' | 'error'>) =>
      notify(onResponse, { request, ...outcome, durationMs: monotonicMs() - sentAtMs });
    try {
      // Looked up each time and called without `this`: browsers accept only their global object.
      const response = await (fetch ?? globalThis.fetch)(url, {
        ...init,
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

/** A failing hook must not turn a placed order into an error. */
function notify<Info>(hook: ((info: Info) => unknown) | undefined, info: Info): void {
  if (hook === undefined) return;
  new Promise((resolve) => resolve(hook(info))).catch((error: unknown) => {
    console.error('A hook of the Keyport client failed:', error);
  });
}
