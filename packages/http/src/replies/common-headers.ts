/**
 * Headers of every response. The pages of the reference add rules for scripts, frames and caching; no header names the
 * server. A190.
 */

const ALWAYS = {
  'x-content-type-options': 'nosniff',
  'cache-control': 'no-store',
  'referrer-policy': 'no-referrer',
} as const;

/** For a year from then on browsers use https at this host only. */
const OVER_TLS = { ...ALWAYS, 'strict-transport-security': 'max-age=31536000' } as const;

/** TLS ends in front of the service, so whether there is any shows in the URL that callers use. */
export function commonHeaders(publicUrl: string): typeof ALWAYS | typeof OVER_TLS {
  return publicUrl.startsWith('https:') ? OVER_TLS : ALWAYS;
}
