/** No header names the server software. */

const ALWAYS = {
  'x-content-type-options': 'nosniff',
  'cache-control': 'no-store',
  'referrer-policy': 'no-referrer',
} as const;

const OVER_TLS = { ...ALWAYS, 'strict-transport-security': 'max-age=31536000' } as const;

/** TLS ends in front of the service, so only the public URL shows it. */
export function commonHeaders(publicUrl: string): typeof ALWAYS | typeof OVER_TLS {
  return publicUrl.startsWith('https:') ? OVER_TLS : ALWAYS;
}
