import { equal } from 'node:assert/strict';
import { test } from 'vitest';
import { writeLink } from './message.ts';

test('a mailed link leads to a password or a passkey only where these sign in', () => {
  const link = {
    url: 'https://keyport.example/#token=t',
    expiresAt: 'noon',
    publicUrl: 'https://keyport.example',
  };
  for (const isLocal of [true, false]) {
    const { text } = writeLink({ name: 'Ada' }, { ...link, isLocal });
    equal(text.includes('choose a password or a passkey'), isLocal);
  }
});
