import { UnstyledButton } from '@mantine/core';
import { queryClient, useRead } from '../api/queries.ts';
import { lazyPart } from '../shell/lazy.ts';
import { Icon } from '../ui/icons.tsx';
import { Opener } from '../ui/opener.tsx';
import { paths } from '../url.ts';
import type { Line } from './notifications-menu.tsx';
import { texts } from './texts.ts';

const NotificationsMenu = lazyPart(async () => (await import('./notifications-menu.tsx')).NotificationsMenu);

const SHOWN_MAX = 10;

type Notification = Omit<Line, 'count'>;

/** Orders that are held now are one line, which opens the queue. */
function toLines(all: readonly Notification[]): readonly Line[] {
  const held = all.filter(({ event, endedAt }) => event === 'held-order' && endedAt === null);
  const [latest, ...others] = held;
  return all
    .filter((one) => !others.includes(one))
    .map((one) =>
      one === latest && others.length > 0
        ? { ...one, path: paths.held, unread: held.some(({ unread }) => unread), count: held.length }
        : { ...one, count: 1 },
    );
}

export function Bell() {
  const { data } = useRead('listNotifications', { query: { limit: SHOWN_MAX } }, { everyMs: 15_000 });
  const all = data?.data ?? [];
  const shown = toLines(all);
  const countUnread = (some: readonly Notification[]) => some.filter(({ unread }) => unread).length;
  // Lines that stand for several count once; what is not in the list counts as it is.
  const unread = (data?.meta.unread ?? 0) - countUnread(all) + countUnread(shown);
  const onRead = () => void queryClient.invalidateQueries({ queryKey: ['listNotifications'] });
  return (
    <Opener
      button={(opener) => (
        <UnstyledButton
          display="flex"
          mih={24}
          miw={24}
          style={{ alignItems: 'center', gap: 4 }}
          aria-label={texts.notifications.bell(unread)}
          {...opener}
        >
          <Icon name="bell" size={18} />
          {unread > 0 ? <span className="count">{unread}</span> : null}
        </UnstyledButton>
      )}
      menu={(props) => <NotificationsMenu {...props} shown={shown} unread={unread} onRead={onRead} />}
    />
  );
}
