/** Texts about people who sign in: operators, and members of accounts. */
import { isolated } from '../texts.ts';

export const PERSON_TEXTS = {
  never: 'Never signed in',
  saved: (name: string) => `${isolated(name)} changed`,
  labels: { invite: 'New link', reset: 'Reset' },
  invite: {
    title: (name: string) => `New link for ${isolated(name)}`,
    says: 'The link works once, within 48 hours. Earlier links stop working.',
    submit: 'New link',
  },
  reset: {
    title: (name: string) => `Reset credentials of ${isolated(name)}`,
    submit: 'Reset credentials',
  },
  linkFor: (name: string, email: string) => `Send this link to ${isolated(name)}, ${isolated(email)}`,
  link: 'Sign-in link',
};
