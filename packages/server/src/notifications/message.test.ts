import { equal } from 'node:assert/strict';
import { test } from 'vitest';
import { writeLink } from './message.ts';

test('a mailed link offers a password or a passkey only if operators can sign in with them', () => {
  const link = { url: 'https://keyport.example/#token=t', expiresAt: 'noon' };
  for (const isLocal of [true, false]) {
    const { text } = writeLink('Ada', link, { publicUrl: 'https://keyport.example', isLocal });
    equal(text.includes('choose a password or a passkey'), isLocal);
  }
});
