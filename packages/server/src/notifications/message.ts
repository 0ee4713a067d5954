/** Messages contain no secrets except a sign-in link. */
import type { Notification, NotificationEvent } from '@keyport/contract/operators/notifications';
import type { DigestRow, NoticeRow } from './notices.sql.ts';

export const LISTED_MAX = 10;

export type Message = { readonly subject: string; readonly text: string };

const WORDS: Readonly<
  Record<NotificationEvent, readonly [one: string, many: string, toPath: (row: PathRow) => string]>
> = {
  'held-order': ['held order', 'held orders', ({ subject }) => `/orders/${subject}`],
  approval: ['pending approval', 'pending approvals', ({ subject }) => `/approvals/${subject}`],
  claim: ['open claim', 'open claims', ({ subject }) => `/claims/${subject}`],
  endpoint: [
    'failing webhook endpoint',
    'failing webhook endpoints',
    ({ subject, accountId }) => `/accounts/${accountId}?tab=webhooks&endpoint=${subject}`,
  ],
  invariant: ['violated invariant', 'violated invariants', () => '/system'],
  'low-stock': [
    'offer that is running low',
    'offers that are running low',
    ({ subject }) => `/catalogue/offers/${subject}`,
  ],
};

type PathRow = Pick<NoticeRow, 'event' | 'subject' | 'accountId'>;

export function toPath(row: PathRow): Notification['path'] {
  return WORDS[row.event][2](row);
}

/** `consoleUrl` has no trailing slash. */
export function writeDigest(rows: readonly DigestRow[], consoleUrl: string): Message {
  const groups = Object.entries(Object.groupBy(rows, ({ event }) => event));
  const sections = groups.map(([event, group]) => {
    const { total } = group[0] ?? { total: 0 };
    const [one, many] = WORDS[event as NotificationEvent];
    const title = `${total} ${total === 1 ? one : many}`;
    const lines = group.map((row) => `* ${row.title}\n  ${consoleUrl}${toPath(row)}`);
    const more = total > group.length ? [`and ${total - group.length} more: ${consoleUrl}`] : [];
    return { title, text: [`${title}:`, ...lines, ...more].join('\n') };
  });
  const [only] = rows;
  const what = sections.map(({ title }) => title).join(', ');
  return {
    // A single matter is named, so that its reader need not open the mail.
    subject: `Keyport: ${what}${rows.length === 1 && only?.total === 1 ? `: ${only.title}` : ''}`,
    text: [...sections.map(({ text }) => text), `Choose what you get: ${consoleUrl}/profile`].join('\n\n'),
  };
}

export function writeLink(
  name: string,
  link: { readonly url: string; readonly expiresAt: string },
  { publicUrl, isLocal }: { readonly publicUrl: string; readonly isLocal: boolean },
): Message {
  return {
    subject: 'Keyport: your sign-in link',
    text: [
      `Hello ${name},`,
      `this link signs you in to the Keyport console of ${publicUrl}. It works once, until ${link.expiresAt}:`,
      link.url,
      ...(isLocal ? ['Then choose a password or a passkey in your profile.'] : []),
      'If you did not expect this mail, delete it and inform an administrator.',
    ].join('\n\n'),
  };
}
