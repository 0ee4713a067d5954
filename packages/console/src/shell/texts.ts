import { isolated, plural } from '../texts.ts';

const ASK_ADMIN =
  'Ask an administrator (if there is no other one, use the command “keyport operator invite”)';
const ASK_OWNER = 'Ask an owner of your account (its only owner asks the marketplace)';

export const texts = {
  keys: {
    title: 'Keyboard shortcuts',
    letters: 'Use letters as shortcuts',
    goTo: (screen: string) => `Go to ${screen}`,
    list: [
      ['?', 'Keyboard shortcuts'],
      ['/', 'Search this list'],
      ['j k', 'Next and previous row'],
      ['Enter', 'Open'],
      ['u', 'Switch between UTC and local time'],
      ['Ctrl Enter', 'Submit'],
      ['Esc', 'Close, then clear the selection'],
    ],
  },
  header: {
    zone: (zone: string) => `Times in ${zone}`,
    theme: (name: string) => `Theme: ${name.toLowerCase()}`,
    themes: { light: 'Light', dark: 'Dark', auto: 'System' },
    person: (name: string) => `${isolated(name)}: profile and sign-out`,
    signOut: 'Sign out',
    signOutEverywhere: 'Sign out everywhere',
  },
  signIn: {
    title: 'Sign in',
    again: 'Your session has ended. Sign in to continue. Your entries are kept.',
    proveTitle: 'Sign in again',
    prove:
      'You signed in more than 5 minutes ago. This change gives someone a way to sign in, so sign in again; it then continues.',
    proveByLink: (isPortal: boolean) =>
      `You signed in by a link more than 5 minutes ago, and you have neither password nor passkey. ${isPortal ? ASK_OWNER : ASK_ADMIN} for a new link: sign in by it, and then make this change within 5 minutes.`,
    passkey: 'Sign in with a passkey',
    oidc: (name: string) => `Sign in with ${isolated(name)}`,
    oidcErrors: {
      failed:
        'Single sign-on failed. Retry, or sign in another way. If it fails again, tell an administrator: the log of the service has the reason.',
      'no-email': 'Your provider did not confirm your email address. Ask its administrator.',
      'no-role': 'Your provider did not assign you a role here. Ask its administrator.',
      'not-invited': 'No operator has your email address, or you are disabled. Ask an administrator.',
    },
    or: 'or',
    linkSays: 'This link signs you in once.',
    useLink: 'Sign in with this link',
    linkUsed:
      'This link was used or has expired. Ask the person who invited you for a new one, or sign in below.',
    linkUsedAs: (name: string, email: string) =>
      `This link was used or has expired, so it signed no one in. In this browser, ${isolated(name)} (${isolated(email)}) is signed in.`,
    goOnAs: (name: string) => `Continue as ${isolated(name)}`,
    tooMany: (waitSeconds: number) =>
      `Too many wrong attempts. Retry in ${plural(Math.ceil(waitSeconds / 60), 'minute')}, or get a sign-in link.`,
    passkeyStopped: 'No passkey was used. Retry, or sign in with your password.',
    noPassword: (isPortal: boolean) =>
      `First time here, or lost your password or passkey? ${isPortal ? ASK_OWNER : ASK_ADMIN} for a link: it signs you in once, and you set a new one.`,
    ending: (minutes: number) => `Your session ends in ${plural(minutes, 'minute')}.`,
    stay: 'Stay signed in',
  },
  states: {
    reload: 'Reload',
    broken: 'This page stopped working, or a newer version was installed. Nothing was changed.',
    lost: 'This page opens as soon as it can be loaded. Nothing was changed.',
    noPage: 'Page not found',
    noPageSays: 'This page does not exist. Check the link.',
    noRight: 'No permission',
    home: 'Go to Home',
    notCurrent: (since: string) => `Out of date since ${since}`,
    forbidden: (role: string, isPortal: boolean) =>
      `Your role (${role}) does not include this. ${isPortal ? 'An owner' : 'An administrator'} can change it.`,
  },
} as const;
