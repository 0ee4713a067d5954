import { UnstyledButton } from '@mantine/core';
import { queryClient, useRead } from '../api/queries.ts';
import { lazyPart } from '../shell/lazy.ts';
import { texts } from '../shell/texts.ts';
import { Icon } from '../ui/icons.tsx';
import { Opener } from '../ui/opener.tsx';

const NotificationsMenu = lazyPart(async () => (await import('./notifications-menu.tsx')).NotificationsMenu);

const SHOWN_MAX = 10;

export function Bell() {
  const { data } = useRead('listNotifications', { query: { limit: SHOWN_MAX } }, { everyMs: 15_000 });
  const shown = data?.data ?? [];
  const unread = data?.meta.unread ?? 0;
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
