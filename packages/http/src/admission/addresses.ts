/** ::ffff:192.0.2.1 counts as 192.0.2.1. A188. */
import type { IncomingMessage } from 'node:http';
import { BlockList, isIP } from 'node:net';
import { assert } from '@keyport/core/assert';

export type AddressSet = { includes(address: string): boolean };

export function parseAddressSet(
  texts: readonly string[],
): { readonly ok: true; readonly set: AddressSet } | { readonly ok: false; readonly index: number } {
  // In one list for both families, ::/0 would include IPv4 addresses.
  const lists = { ipv4: new BlockList(), ipv6: new BlockList() };
  for (const [index, text] of texts.entries()) {
    if (!add(lists, text)) return { ok: false, index };
  }
  return {
    ok: true,
    set: {
      includes(address) {
        const plain = withoutMapping(address);
        const family = toFamily(plain);
        return family !== undefined && lists[family].check(plain, family);
      },
    },
  };
}

export function toAddressSet(texts: readonly string[]): AddressSet | undefined {
  if (texts.length === 0) return undefined;
  const parsed = parseAddressSet(texts);
  assert(parsed.ok, 'the list is valid');
  return parsed.set;
}

type Family = 'ipv4' | 'ipv6';

function toFamily(address: string): Family | undefined {
  const version = isIP(address);
  if (version === 0) return undefined;
  return version === 4 ? 'ipv4' : 'ipv6';
}

function add(lists: Readonly<Record<Family, BlockList>>, text: string): boolean {
  const [address = '', prefix, ...more] = text.split('/');
  const family = toFamily(address);
  // A zone (fe80::1%eth0) is valid on one machine only.
  if (family === undefined || more.length > 0 || address.includes('%') || withoutMapping(address) !== address)
    return false;
  if (prefix === undefined) {
    lists[family].addAddress(address, family);
    return true;
  }
  const bits = /^\d{1,3}$/.test(prefix) ? Number(prefix) : Number.POSITIVE_INFINITY;
  if (bits > (family === 'ipv4' ? 32 : 128)) return false;
  lists[family].addSubnet(address, bits, family);
  return true;
}

function withoutMapping(address: string): string {
  const tail = /^(?:0{0,4}:){0,5}:?ffff:([0-9a-f.:]+)$/i.exec(address)?.[1];
  if (tail === undefined) return address;
  if (isIP(tail) === 4) return tail;
  const hex = /^([0-9a-f]{1,4}):([0-9a-f]{1,4})$/i.exec(tail);
  if (hex === null || isIP(address) !== 6) return address;
  const bits = Number.parseInt(hex[1] ?? '', 16) * 0x1_0000 + Number.parseInt(hex[2] ?? '', 16);
  return [24, 16, 8, 0].map((shift) => Math.floor(bits / 2 ** shift) % 256).join('.');
}

/** The /64 of an IPv6 address, which one host usually has. IPv4 addresses stay unchanged. */
export function toNetwork(address: string): string {
  if (isIP(address) !== 6) return address;
  const [head = '', tail] = (address.split('%', 1)[0] ?? '').split('::');
  const groups = head === '' ? [] : head.split(':');
  if (tail !== undefined) {
    const rest = tail === '' ? [] : tail.split(':');
    const restCount = rest.length + (tail.includes('.') ? 1 : 0);
    groups.push(...Array<string>(8 - groups.length - restCount).fill('0'), ...rest);
  }
  const network = groups.slice(0, 4).map((group) => Number.parseInt(group, 16).toString(16));
  return `${network.join(':')}::/64`;
}

/** One customer usually has at most an IPv4 /24 or an IPv6 /48. */
export function toRange(address: string): string {
  const isV4 = isIP(address) === 4;
  return isV4 ? address.split('.', 3).join('.') : toNetwork(address).split(':', 3).join(':');
}

export type AddressOf = (request: IncomingMessage) => string;

/** Reads X-Forwarded-For from its end, as long as a trusted proxy wrote the entry. */
export function createAddressOf(trustedProxies: AddressSet | undefined): AddressOf {
  return ({ socket, headers }) => {
    let address = withoutMapping(socket.remoteAddress ?? '');
    if (trustedProxies === undefined) return address;
    const hops = [headers['x-forwarded-for'] ?? []].flat().join(',').split(',');
    while (trustedProxies.includes(address)) {
      const hop = addressIn(hops.pop() ?? '');
      // Without a valid next hop, this proxy is the last known address.
      if (hop === undefined) break;
      address = hop;
    }
    return address;
  };
}

function addressIn(text: string): string | undefined {
  const hop = text.trim();
  const bare = /^\[([^\]]+)\](?::\d+)?$/.exec(hop)?.[1] ?? /^([\d.]+):\d+$/.exec(hop)?.[1] ?? hop;
  return isIP(bare) === 0 ? undefined : withoutMapping(bare);
}
