import type { OperatorAnswer } from '@keyport/sdk/admin';
import { Drawer, Menu, useMantineColorScheme } from '@mantine/core';
import type { ReactNode } from 'react';
import { admin, queryClient } from '../api/queries.ts';
import { signOut, useSession } from '../api/session.ts';
import { useClose } from '../forms/closing.tsx';
import { forgetDrafts } from '../forms/drafts.ts';
import { parseSearch } from '../places.tsx';
import { useZone } from '../preferences.ts';
import { texts } from '../texts.ts';
import { Icon } from '../ui/icons.tsx';
import { messageOf } from '../ui/page.tsx';
import { toast } from '../ui/toasts.tsx';
import { formatTime } from '../ui/values.tsx';
import { paths, useGo } from '../url.ts';

type MenuProps = { readonly onClose: () => void; readonly children: ReactNode };

const words = texts.notifications;

export function PersonMenu({ onKeys, onClose, children }: MenuProps & { readonly onKeys: () => void }) {
  const { operator } = useSession();
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  const go = useGo();
  const leave = (everywhere: boolean) =>
    signOut(everywhere, () => {
      queryClient.clear();
      forgetDrafts();
    });
  return (
    <Menu opened onClose={onClose} position="bottom-end" width={220} transitionProps={{ duration: 0 }}>
      <Menu.Target>{children}</Menu.Target>
      <Menu.Dropdown aria-label={operator.name}>
        <Menu.Label>
          {operator.email} · {operator.role}
        </Menu.Label>
        {(['light', 'dark', 'auto'] as const).map((scheme) => (
          <Menu.Item
            key={scheme}
            leftSection={<Icon name={colorScheme === scheme ? 'check' : 'sun'} size={14} />}
            onClick={() => setColorScheme(scheme)}
          >
            Theme: {texts.header.themes[scheme].toLowerCase()}
          </Menu.Item>
        ))}
        <Menu.Item onClick={() => go(paths.profile)}>Profile</Menu.Item>
        <Menu.Item onClick={onKeys}>Keyboard shortcuts</Menu.Item>
        <Menu.Divider />
        <Menu.Item onClick={() => void leave(false)}>Sign out</Menu.Item>
        <Menu.Item onClick={() => void leave(true)}>Sign out everywhere</Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}

export function NotificationsMenu(
  props: MenuProps & {
    readonly shown: OperatorAnswer<'listNotifications'>['data'];
    readonly unread: number;
    readonly onRead: () => void;
  },
) {
  const { onClose, children, shown, unread, onRead } = props;
  const zone = useZone();
  const go = useGo();
  const open = (path: string) => {
    const [to = '', search = ''] = path.split('?');
    go(to, parseSearch(search));
  };
  const markRead = (upTo: string) =>
    admin.readNotifications({ body: { upTo } }).then(onRead, (error: unknown) => toast(messageOf(error)));
  return (
    <Menu opened onClose={onClose} position="bottom-end" width={340} transitionProps={{ duration: 0 }}>
      <Menu.Target>{children}</Menu.Target>
      <Menu.Dropdown className="notifications" aria-label="Notifications">
        <Menu.Label>
          {shown.length === 0
            ? 'No notifications. What begins to need attention appears here.'
            : words.bell(unread)}
        </Menu.Label>
        {shown.map(({ id, event, title, path, at, endedAt, unread: isUnread }) => (
          <Menu.Item key={id} onClick={() => open(path)}>
            <span className="notification">
              {isUnread ? <strong>{words.events[event]}</strong> : words.events[event]}
              <small>{title}</small>
              <small>
                {[
                  formatTime(at, zone),
                  ...(isUnread ? ['Unread'] : []),
                  ...(endedAt === null ? [] : ['over']),
                ].join(' · ')}
              </small>
            </span>
          </Menu.Item>
        ))}
        <Menu.Divider />
        {unread > 0 ? (
          <Menu.Item leftSection={<Icon name="check" />} onClick={() => void markRead(shown[0]?.id ?? '0')}>
            Mark all as read
          </Menu.Item>
        ) : null}
        <Menu.Item onClick={() => go(paths.profile)}>Choose notifications</Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}

export function NavigationDrawer({ navigation }: { readonly navigation: ReactNode }) {
  return (
    <Drawer.Root opened onClose={useClose()} size={260} transitionProps={{ duration: 0 }}>
      <Drawer.Overlay backgroundOpacity={0.3} />
      <Drawer.Content aria-label="Main">
        <Drawer.Header role="presentation">
          <Drawer.Title>Keyport</Drawer.Title>
          <Drawer.CloseButton aria-label="Close the navigation" />
        </Drawer.Header>
        <Drawer.Body>{navigation}</Drawer.Body>
      </Drawer.Content>
    </Drawer.Root>
  );
}
