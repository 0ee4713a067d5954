/**
 * Resellers choose URLs, but must not reach this service's network. Each URL is checked when it is set
 * and before each request. For a name, each address to which a request connects is also checked. A313.
 */
import { isIP } from 'node:net';
import { must } from '@keyport/core/assert';
import { type AddressSet, toAddressSet } from '@keyport/http/admission/addresses';
import type { Config } from '../../config.ts';

export type TargetRules = {
  readonly allowsHttp: boolean;
  /** Whether this machine is allowed. */
  readonly allowsLocal: boolean;
};

/** A sandbox that others can reach must not let them reach the services of its machine. */
export function toTargetRules({
  mode,
  publicUrl,
  host,
}: Pick<Config, 'mode' | 'publicUrl' | 'host'>): TargetRules {
  const reachedAs = publicUrl === undefined ? host : new URL(publicUrl).hostname;
  const isLocal = isLocalName(reachedAs) || LOOPBACK.includes(addressOfHost(reachedAs) ?? '');
  return { allowsHttp: mode === 'sandbox', allowsLocal: mode === 'sandbox' && isLocal };
}

/** From IANA's registries of special-purpose addresses. */
const SPECIAL_IPV4 = [
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.88.99.0/24',
  '192.168.0.0/16',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '224.0.0.0/4',
  '240.0.0.0/4',
];

/** The special ranges within global unicast (2000::/3). All addresses outside it are special too. */
const SPECIAL_GLOBAL_IPV6 = ['2001::/23', '2001:db8::/32', '2002::/16', '3fff::/20'];
const LOOPBACK = toSet(['127.0.0.0/8', '::1']);
const GLOBAL_IPV6 = toSet(['2000::/3']);
const SPECIAL = toSet([...SPECIAL_IPV4, ...SPECIAL_GLOBAL_IPV6]);
const IPV4 = toSet(['0.0.0.0/0']);

/** An IPv4 address inside an IPv6 one (::ffff:…) counts as IPv4. */
export function isAllowedAddress(
  address: string,
  { allowsLocal }: Pick<TargetRules, 'allowsLocal'>,
): boolean {
  if (allowsLocal && LOOPBACK.includes(address)) return true;
  return (IPV4.includes(address) || GLOBAL_IPV6.includes(address)) && !SPECIAL.includes(address);
}

/** Undefined if the host is a name. */
export function addressOfHost(hostname: string): string | undefined {
  const bare = hostname.startsWith('[') ? hostname.slice(1, -1) : hostname;
  return isIP(bare) === 0 ? undefined : bare;
}

/** Equal for URLs that reach the same resource by RFC 3986: case, default port, final dot of the host, escapes. */
export function normalizeUrl(text: string): string {
  const url = new URL(text);
  const decoded = (escaped: string, hex: string) => {
    const character = String.fromCharCode(Number.parseInt(hex, 16));
    return /[\w.~-]/.test(character) ? character : escaped.toUpperCase();
  };
  const path = `${url.pathname}${url.search}`.replace(/%([0-9a-f]{2})/gi, decoded);
  return `${url.protocol}//${toHost(text)}:${url.port}${path}`;
}

export function toHost(url: string): string {
  return new URL(url).hostname.replace(/\.$/, '');
}

/** These names are local, regardless of what a name server returns (RFC 6761). */
export function isLocalName(hostname: string): boolean {
  return /(?:^|\.)localhost\.?$/i.test(hostname);
}

/** Returns the rest of a sentence about the URL, or undefined if it is allowed. Does not resolve names. */
export function rejectTarget(text: string, rules: TargetRules): string | undefined {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const schemes = rules.allowsHttp ? ['https:', 'http:'] : ['https:'];
  if (url === undefined || !/^https?:\/\/[^/\\]/i.test(text))
    return 'must be a valid absolute URL such as https://shop.example/webhooks';
  if (!schemes.includes(url.protocol)) return 'must begin with https://';
  if (url.username !== '' || url.password !== '') {
    return 'must not have a user name or a password: deliveries are signed instead';
  }
  if (url.hash !== '' || text.includes('#')) return 'must not have a fragment (#…)';
  if (/[\s\p{C}]/u.test(text)) return 'must not have blanks or control characters';
  const address = addressOfHost(url.hostname);
  const isPublic =
    address === undefined
      ? rules.allowsLocal || !isLocalName(url.hostname)
      : isAllowedAddress(address, rules);
  if (!isPublic) return 'must have a public host: this address cannot be reached from the internet';
  return undefined;
}

/** Resellers must not learn the addresses of names inside our network. A313. */
export const NOT_PUBLIC = 'The host has no public address.';

function toSet(ranges: readonly string[]): AddressSet {
  return must(toAddressSet(ranges), 'a list of ranges');
}
