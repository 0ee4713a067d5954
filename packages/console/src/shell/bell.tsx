/** The bell of the header: what began to need attention, and how much of it is unread. */
import { Menu, UnstyledButton } from '@mantine/core';
import { useRouterState } from '@tanstack/react-router';
import { admin } from '../api/admin.ts';
import { queryClient, useLive } from '../api/queries.ts';
import { paths } from '../paths.ts';
import { useZone } from '../preferences.ts';
import { texts } from '../texts.ts';
import { Icon } from '../ui/icons.tsx';
import { messageOf } from '../ui/states.tsx';
import { toast } from '../ui/toasts.tsx';
import { formatTime } from '../ui/values.tsx';
import { parseSearch, useGo } from '../url.ts';

const NOTIFICATIONS = ['notifications'];
const SHOWN_MAX = 10;
const EVERY_MS = 15_000;

const words = texts.notifications;

export function Bell() {
  const zone = useZone();
  const go = useGo();
  const place = useRouterState({ select: ({ location }) => location.href });
  const { data } = useLive(
    NOTIFICATIONS,
    (client, signal) => client.listNotifications({ query: { limit: SHOWN_MAX } }, { signal }),
    { everyMs: EVERY_MS },
  );
  const shown = data?.data ?? [];
  const unread = data?.meta.unread ?? 0;
  const open = (path: string) => {
    const [to = '', search = ''] = path.split('?');
    go(to, parseSearch(search));
  };
  const markRead = (upTo: string) =>
    admin.readNotifications({ body: { upTo } }).then(
      () => queryClient.invalidateQueries({ queryKey: NOTIFICATIONS }),
      (error: unknown) => toast(messageOf(error)),
    );
  return (
    <Menu key={place} position="bottom-end" width={340} transitionProps={{ duration: 0 }}>
      <Menu.Target>
        <UnstyledButton className="bell" aria-label={words.bell(unread)}>
          <Icon name="bell" size={18} />
          {unread > 0 ? <span className="count">{unread}</span> : null}
        </UnstyledButton>
      </Menu.Target>
      <Menu.Dropdown className="notifications" aria-label={words.title}>
        <Menu.Label>{shown.length === 0 ? words.none : words.bell(unread)}</Menu.Label>
        {shown.map(({ id, event, title, path, at, endedAt, unread: isUnread }) => (
          <Menu.Item key={id} onClick={() => open(path)}>
            <span className="notification">
              {isUnread ? <strong>{words.events[event]}</strong> : words.events[event]}
              <small>{title}</small>
              <small>
                {[
                  formatTime(at, zone),
                  ...(isUnread ? [words.unread] : []),
                  ...(endedAt === null ? [] : [words.over]),
                ].join(' · ')}
              </small>
            </span>
          </Menu.Item>
        ))}
        <Menu.Divider />
        {unread > 0 ? (
          <Menu.Item leftSection={<Icon name="check" />} onClick={() => void markRead(shown[0]?.id ?? '0')}>
            {words.markRead}
          </Menu.Item>
        ) : null}
        <Menu.Item onClick={() => go(paths.profile)}>{words.choose}</Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
