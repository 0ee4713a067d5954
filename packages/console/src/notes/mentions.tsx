/** Notes that mention the operator. */
import { useLive } from '../api/queries.ts';
import { paths } from '../paths.ts';
import { texts } from '../texts.ts';
import { Link } from '../ui/link.tsx';

const SHOWN_MAX = 5;
const LIVE_MS = 15_000;

const PAGES = { order: paths.order, account: paths.account, seller: paths.seller } as const;

export function Mentions({ since }: { readonly since: string }) {
  const query = { mentioned: 'me', from: since, limit: SHOWN_MAX };
  const { data } = useLive(['notes', query], (client, signal) => client.listNotes({ query }, { signal }), {
    everyMs: LIVE_MS,
  });
  return data?.data.map(({ id, authorName, subject, text }) => {
    const [kind, about = ''] = subject.split(':') as [keyof typeof PAGES, string?];
    return (
      <li key={id}>
        <Link to={PAGES[kind](about)}>{texts.notes.mentioned[kind](authorName)}</Link>{' '}
        <span className="hint">{text}</span>
      </li>
    );
  });
}
