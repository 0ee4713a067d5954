/** A188. */
import { deepEqual, equal, ok } from 'node:assert/strict';
import type { IncomingMessage } from 'node:http';
import { test } from 'vitest';
import { createAddressOf, parseAddressSet, toAddressSet } from './addresses.ts';

const SETS: readonly {
  readonly list: readonly string[];
  readonly inside: readonly string[];
  readonly outside: readonly string[];
}[] = [
  {
    list: ['192.0.2.7'],
    inside: ['192.0.2.7', '::ffff:192.0.2.7', '::FFFF:c000:0207', '0:0:0:0:0:ffff:192.0.2.7'],
    outside: [
      '192.0.2.8',
      '::192.0.2.7',
      '::ffff:192.0.2.8',
      '2001:db8::1',
      '',
      'unknown',
      '192.0.2.7 ',
      '192.0.2',
    ],
  },
  {
    list: ['192.0.2.0/24', '10.1.2.3/32'],
    inside: ['192.0.2.0', '192.0.2.255', '10.1.2.3', '::ffff:192.0.2.200'],
    outside: ['192.0.1.255', '192.0.3.0', '10.1.2.4', '::'],
  },
  {
    list: ['2001:db8::/32', '::1'],
    inside: ['2001:db8::', '2001:0DB8:ffff::1', '::1', '0:0:0:0:0:0:0:1'],
    outside: ['2001:db9::', '::2', '127.0.0.1', '::ffff:127.0.0.1'],
  },
  { list: ['0.0.0.0/0'], inside: ['1.2.3.4', '::ffff:1.2.3.4'], outside: ['2001:db8::1', '::1'] },
  { list: ['::/0'], inside: ['2001:db8::1', '::1'], outside: ['1.2.3.4', '::ffff:1.2.3.4'] },
];

test('a set holds the addresses and ranges of its list in any notation', () => {
  for (const { list, inside, outside } of SETS) {
    const set = toAddressSet(list);
    for (const address of inside) ok(set?.includes(address), `${address} is in ${list}`);
    for (const address of outside) ok(!set?.includes(address), `${address} is not in ${list}`);
  }
  equal(toAddressSet([]), undefined);
});

test('a text that is neither an address nor a range is named by its index', () => {
  const wrong = [
    '',
    ' 192.0.2.1',
    '192.0.2',
    '192.0.2.256',
    '192.0.2.01',
    '192.0.2.0/33',
    '192.0.2.0/',
    '192.0.2.0/-1',
    '192.0.2.0/8.0',
    '192.0.2.0/24/24',
    '192.0.2.0/255.255.255.0',
    '::/129',
    '2001:db8:::1',
    'fe80::1%eth0',
    '::ffff:192.0.2.1',
    '::ffff:192.0.2.0/120',
    'localhost',
    '*',
  ];
  for (const text of wrong) deepEqual(parseAddressSet(['192.0.2.1', text]), { ok: false, index: 1 }, text);
});

const PROXIES = ['10.0.0.0/8', 'fd00::/8'];

/** The remote address, the header it sends, and the address of the request. */
const REQUESTS: readonly (readonly [string, string | undefined, string])[] = [
  // No proxy.
  ['203.0.113.9', undefined, '203.0.113.9'],
  ['::ffff:203.0.113.9', undefined, '203.0.113.9'],
  // Not one of our proxies: its header is ignored.
  ['203.0.113.9', '192.0.2.1', '203.0.113.9'],
  ['203.0.113.9', '10.0.0.1, 192.0.2.1', '203.0.113.9'],
  // A proxy names its caller.
  ['10.0.0.1', '203.0.113.9', '203.0.113.9'],
  ['::ffff:10.0.0.1', '203.0.113.9', '203.0.113.9'],
  ['fd00::1', '2001:db8::9', '2001:db8::9'],
  ['10.0.0.1', ' 203.0.113.9 ', '203.0.113.9'],
  ['10.0.0.1', '::ffff:203.0.113.9', '203.0.113.9'],
  ['10.0.0.1', '203.0.113.9:5678', '203.0.113.9'],
  ['10.0.0.1', '[2001:db8::9]:5678', '2001:db8::9'],
  // The caller's own text comes before the proxy's.
  ['10.0.0.1', '192.0.2.1, 203.0.113.9', '203.0.113.9'],
  ['10.0.0.1', '10.0.0.7, 203.0.113.9', '203.0.113.9'],
  ['10.0.0.1', 'nonsense,, 203.0.113.9', '203.0.113.9'],
  // One proxy behind another.
  ['10.0.0.1', '192.0.2.1, 203.0.113.9, 10.0.0.2', '203.0.113.9'],
  ['10.0.0.1', '203.0.113.9,10.0.0.3,10.0.0.2', '203.0.113.9'],
  // A call from inside the proxies' network.
  ['10.0.0.1', '10.0.0.9', '10.0.0.9'],
  // A proxy that does not name its caller.
  ['10.0.0.1', undefined, '10.0.0.1'],
  ['10.0.0.1', '', '10.0.0.1'],
  ['10.0.0.1', '203.0.113.9, unknown', '10.0.0.1'],
  ['10.0.0.1', '203.0.113.9,', '10.0.0.1'],
  ['10.0.0.1', '203.0.113.9, unknown, 10.0.0.2', '10.0.0.2'],
];

test('X-Forwarded-For counts only as far as trusted proxies wrote it', () => {
  const toAddress = createAddressOf(toAddressSet(PROXIES));
  for (const [peer, forwarded, address] of REQUESTS) {
    equal(toAddress(requestFrom(peer, forwarded)), address, `${peer} with ${forwarded}`);
  }
});

test('X-Forwarded-For is ignored if there are no trusted proxies', () => {
  const toAddress = createAddressOf(undefined);
  equal(toAddress(requestFrom('10.0.0.1', '203.0.113.9')), '10.0.0.1');
  equal(toAddress(requestFrom(undefined, '203.0.113.9')), '');
});

function requestFrom(remoteAddress: string | undefined, forwarded: string | undefined): IncomingMessage {
  const headers = forwarded === undefined ? {} : { 'x-forwarded-for': forwarded };
  return { socket: { remoteAddress }, headers } as unknown as IncomingMessage;
}
