import { deepEqual, throws } from 'node:assert/strict';
import { test } from 'vitest';
import { Keyport } from '../src/keyport.ts';

async function sentBy(baseUrl: string, clientId: string, clientSecret: string | (() => string)) {
  const sent: unknown[] = [];
  const fetch = async (url: string | URL | Request, init?: RequestInit) => {
    if (typeof init?.body === 'string') sent.push(Object.fromEntries(new URLSearchParams(init.body)));
    sent.push(String(url));
    return String(url).endsWith('/oauth/token')
      ? Response.json({ access_token: 'token', expires_in: 3600 })
      : Response.json({ data: {} });
  };
  const keyport = new Keyport({ baseUrl, clientId, clientSecret, fetch });
  await keyport.account.get();
  return sent;
}

const GOOD = await sentBy('https://export.example/path', 'client', 'kpsec_1234');

test.each([
  ['https://export.example/path/\n', 'client\r\n', 'kpsec_1234\n'],
  [' https://export.example/path ', '\ufeffclient', 'kpsec_1234\r\n'],
  ['\u00a0https://export.example/path/\u200b', ' client\u200b', () => 'kpsec_1234\u00a0\n'],
])(
  'what files and copied texts add at both ends of options is left out: %j',
  async (baseUrl, clientId, secret) => {
    deepEqual(await sentBy(baseUrl, clientId, secret), GOOD);
  },
);

test.each([
  ['https://export\u00a0.example', 'client', 'secret', /^TypeError: baseUrl has U\+00A0 at position 15/],
  ['https://export.example', 'cli\u200bent', 'secret', /^TypeError: clientId has U\+200B at position 4/],
  ['https://export.example', 'client', 'sec\nret', /^TypeError: clientSecret has U\+000A at position 4/],
])('a character that cannot be seen is named: %j', (baseUrl, clientId, clientSecret, says) => {
  throws(() => new Keyport({ baseUrl, clientId, clientSecret }), says);
});
