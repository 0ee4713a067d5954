/**
 * What every response carries, success or not, whichever way it took. The pages of the reference say more about scripts and
 * frames, and about caching; which server this is, none says. A190.
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
