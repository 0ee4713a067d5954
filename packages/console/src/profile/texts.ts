import { isolated } from '../texts.ts';

export const texts = {
  profile: {
    currentPassword: 'Current password',
    newPassword: 'New password',
    /** The lengths are those of the contract. */
    passwordHint: '12 to 200 characters. You sign in with it and your email address.',
    passwordWrong: 'Enter 12 to 200 characters.',
    firstTitle: 'Sign in next time',
    firstSays:
      'Your link worked once. Set a password or add a passkey now: after 5 minutes, you would need a new link for that.',
    later: 'Later',
    change: 'An administrator can change your name, email address and role.',
    setPassword: 'Set password',
    passwordSet: 'Password set. Your other sessions have ended.',
    removePasskeys: 'Also remove all my passkeys',
    endsSessions: 'A new password ends your other sessions.',
    notProven: 'You did not sign in again. Nothing was changed.',
    ssoOnly: (name: string) => `Passwords and passkeys are turned off. You sign in with ${isolated(name)}.`,
    passkeys: 'Passkeys',
    passkey: 'Passkey',
    addPasskey: 'Add a passkey',
    remove: 'Remove',
    passkeyStopped: 'No passkey was added.',
    noPasskeys: 'Passkeys require HTTPS.',
  },
  display: {
    zone: 'Time zone',
    locale: 'Format of dates and numbers',
    ofBrowser: (name: string) => `As the browser: ${isolated(name)}`,
    hint: 'Kept in this browser.',
  },
  notifications: {
    event: 'Event',
    channels: { console: 'Console', mail: 'Mail' },
    choice: (event: string, channel: string) => `${event}: ${channel}`,
    save: 'Save notifications',
    saved: 'Notifications saved.',
    mailTo: (address: string) => `Mail goes to ${address}, at most one message a minute with all new events.`,
    noMail: 'This service sends no mail. An administrator can set KEYPORT_SMTP_URL.',
    failing: (since: string, error: string) => `Mail has been failing since ${since}: ${isolated(error)}`,
  },
} as const;
