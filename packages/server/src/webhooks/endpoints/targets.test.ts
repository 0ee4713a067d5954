/** A313. */
import { deepEqual, equal, notEqual, ok } from 'node:assert/strict';
import { test } from 'vitest';
import { isAllowedAddress, normalizeUrl, rejectTarget, toTargetRules } from './targets.ts';

const LIVE = { allowsHttp: false, allowsLocal: false };
const SANDBOX = { allowsHttp: true, allowsLocal: true };
/** A sandbox that other machines can reach. */
const SHARED_SANDBOX = { allowsHttp: true, allowsLocal: false };

const HOSTILE = [
  // Not web addresses.
  '',
  'shop.example',
  '//shop.example/',
  'https:shop.example',
  'https:///shop.example',
  'ftp://shop.example/',
  'file:///etc/passwd',
  'gopher://shop.example/',
  'javascript:alert(1)',
  'data:text/plain,x',
  'unix:/var/run/docker.sock',
  'https://',
  'https://shop.example:99999/',
  'https://user@shop.example/',
  'https://user:word@shop.example/',
  'https://shop.example@10.0.0.1/',
  'https://10.0.0.1#@shop.example/',
  'https://shop.example/#part',
  'https://shop.example/ x',
  'https://shop.example/\n',
  'https://shop.example\t/',
  'https://shop\u200b.example/\u0000',
  // Private, link-local, shared, multicast, reserved.
  'https://10.0.0.1/',
  'https://10.255.255.255/',
  'https://172.16.0.1/',
  'https://172.31.255.254/',
  'https://192.168.1.1/',
  'https://169.254.169.254/latest/meta-data/',
  'https://169.254.170.2/v2/credentials',
  'https://100.64.0.1/',
  'https://100.100.100.200/latest/meta-data/',
  'https://192.0.0.192/',
  'https://192.0.2.1/',
  'https://198.18.0.1/',
  'https://198.51.100.7/',
  'https://203.0.113.9/',
  'https://224.0.0.1/',
  'https://239.255.255.250/',
  'https://240.0.0.1/',
  'https://255.255.255.255/',
  // Unspecified: most systems connect it to themselves.
  'https://0.0.0.0/',
  'https://0/',
  'https://0.0.0.1/',
  'https://[::]/',
  'https://[0:0:0:0:0:0:0:0]/',
  'https://[::ffff:0.0.0.0]/',
  // The same addresses in other notations.
  'https://167772161/',
  'https://0xa000001/',
  'https://0x0a.0.0.1/',
  'https://012.0.0.1/',
  'https://10.1/',
  'https://10.0.1/',
  'https://1０.0.0.1/',
  'https://①⓪.0.0.1/',
  'https://10。0。0。1/',
  'https://10.0.0.1./',
  'https://%31%30.0.0.1/',
  'https://2852039166/',
  'https://0251.0376.0251.0376/',
  'https://0xA9FEA9FE/',
  'https://[fe80::1]/',
  'https://[fe80::1%25eth0]/',
  'https://[fc00::1]/',
  'https://[fd00:ec2::254]/',
  'https://[fec0::1]/',
  'https://[ff02::1]/',
  'https://[2001:db8::1]/',
  'https://[3fff::1]/',
  'https://[2001::1]/',
  'https://[100::1]/',
  'https://[5f00::1]/',
  // IPv4 inside IPv6: mapped, compatible, translated, NAT64, 6to4, Teredo.
  'https://[::ffff:10.0.0.1]/',
  'https://[::ffff:a00:1]/',
  'https://[0:0:0:0:0:ffff:a9fe:a9fe]/',
  'https://[::10.0.0.1]/',
  'https://[::ffff:0:10.0.0.1]/',
  'https://[64:ff9b::10.0.0.1]/',
  'https://[64:ff9b:1::a00:1]/',
  'https://[2002:a00:1::]/',
  'https://[2001:0:a00:1::]/',
];

const LOCAL = [
  'https://127.0.0.1/',
  'https://127.1/',
  'https://2130706433/',
  'https://0x7f.1/',
  'https://017700000001/',
  'https://127.255.255.254:8080/',
  'https://[::1]/',
  'https://[::ffff:127.0.0.1]/',
  'https://[::ffff:7f00:1]/',
  'https://localhost/',
  'https://LOCALHOST./',
  'https://shop.localhost/',
  'http://127.0.0.1:3000/',
  'http://shop.example/',
  'http://localhost:3000/hook?a=b',
];

const PUBLIC = [
  'https://shop.example/',
  'https://shop.example:8443/hook?shop=7&x=%20',
  'https://SHOP.example',
  'https://xn--bcher-kva.example/',
  'https://bücher.example/',
  'https://93.184.216.34/',
  'https://[2606:2800:220:1:248:1893:25c8:1946]/',
  'https://localhost.shop.example/',
];

test(`${HOSTILE.length} hostile URLs are rejected, even in the sandbox`, () => {
  ok(HOSTILE.length >= 60);
  equal(new Set(HOSTILE).size, HOSTILE.length);
  for (const url of HOSTILE) {
    ok(rejectTarget(url, LIVE) !== undefined, `${url} passes`);
    ok(rejectTarget(url, SANDBOX) !== undefined, `${url} passes in the sandbox`);
  }
});

test('addresses of this machine are allowed only in a sandbox that only this machine reaches', () => {
  for (const url of LOCAL) {
    ok(rejectTarget(url, LIVE) !== undefined, `${url} passes`);
    equal(rejectTarget(url, SANDBOX), undefined, url);
    const isHttpOnly = url === 'http://shop.example/';
    equal(rejectTarget(url, SHARED_SANDBOX) === undefined, isHttpOnly, url);
  }
});

test.each([
  ['sandbox', undefined, '127.0.0.1', SANDBOX],
  ['sandbox', undefined, '::1', SANDBOX],
  ['sandbox', 'http://localhost:8080', '0.0.0.0', SANDBOX],
  ['sandbox', 'http://[::1]:8080/keyport', '::', SANDBOX],
  ['sandbox', undefined, '0.0.0.0', SHARED_SANDBOX],
  ['sandbox', undefined, '::', SHARED_SANDBOX],
  ['sandbox', 'https://sandbox.keyport.example', '127.0.0.1', SHARED_SANDBOX],
  ['sandbox', 'http://192.168.1.5:8080', '127.0.0.1', SHARED_SANDBOX],
  ['sandbox', 'http://localhost.keyport.example', '127.0.0.1', SHARED_SANDBOX],
  ['live', 'http://127.0.0.1:8080', '127.0.0.1', LIVE],
] as const)('the rules of a service in mode %s at %s that listens on %s', (mode, publicUrl, host, rules) => {
  deepEqual(toTargetRules({ mode, publicUrl, host }), rules);
});

test.each([
  'https://SHOP.example/hook?b=2&a=%C3%A9',
  'HTTPS://shop.example:443/hook?b=2&a=%c3%a9',
  'https://shop.example./x/../hook?b=2&a=é',
  'https://shop.example/%68ook?b=2&a=%C3%A9',
])('%s is the same URL in another spelling', (url) => {
  equal(normalizeUrl(url), normalizeUrl('https://shop.example/hook?b=2&a=%C3%A9'));
});

test.each([
  'https://shop.example/hook?a=%C3%A9&b=2',
  'https://shop.example/Hook?b=2&a=%C3%A9',
  'https://shop.example/hook/?b=2&a=%C3%A9',
  'https://shop.example:8443/hook?b=2&a=%C3%A9',
  'http://shop.example/hook?b=2&a=%C3%A9',
])('%s is a different URL', (url) => {
  notEqual(normalizeUrl(url), normalizeUrl('https://shop.example/hook?b=2&a=%C3%A9'));
});

test('public URLs are accepted', () => {
  for (const url of PUBLIC) {
    equal(rejectTarget(url, LIVE), undefined, url);
    equal(rejectTarget(url, SANDBOX), undefined, url);
  }
});

test('rejects text that is not an address', () => {
  for (const text of ['', 'localhost', 'shop.example', '10.0.0', '1.1.1.1/32', 'fe80::1%eth0']) {
    equal(isAllowedAddress(text, SANDBOX), false, text);
  }
});
