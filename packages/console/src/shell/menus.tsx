import type { OperatorAnswer } from '@keyport/sdk/admin';
import { Drawer, Menu, Stack, useMantineColorScheme } from '@mantine/core';
import type { ReactNode } from 'react';
import { admin, queryClient } from '../api/queries.ts';
import { signOut, useSession } from '../api/session.ts';
import { useClose } from '../forms/closing.tsx';
import { forgetDrafts } from '../forms/drafts.ts';
import { parseSearch } from '../places.tsx';
import { useZone } from '../preferences.ts';
import { common } from '../texts.ts';
import { Hint } from '../ui/hint.tsx';
import { Icon } from '../ui/icons.tsx';
import type { OpenedMenu } from '../ui/opener.tsx';
import { toastError } from '../ui/toasts.tsx';
import { formatTime, Isolated } from '../ui/values.tsx';
import { paths, useGo } from '../url.ts';
import { texts } from './texts.ts';
import '../mantine-more.css';

const words = texts.notifications;

export function PersonMenu({
  onKeys,
  isOpen,
  onClose,
  children,
}: OpenedMenu & { readonly onKeys: () => void }) {
  const { operator } = useSession();
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  const go = useGo();
  const leave = (everywhere: boolean) =>
    signOut(everywhere, () => {
      queryClient.clear();
      forgetDrafts();
    });
  return (
    <Menu
      opened={isOpen}
      onClose={onClose}
      position="bottom-end"
      width={220}
      transitionProps={{ duration: 0 }}
    >
      <Menu.Target>{children}</Menu.Target>
      <Menu.Dropdown aria-label={operator.name}>
        <Menu.Label>
          <Isolated>{operator.email}</Isolated> · {operator.role}
        </Menu.Label>
        {(['light', 'dark', 'auto'] as const).map((scheme) => (
          <Menu.Item
            key={scheme}
            leftSection={<Icon name={colorScheme === scheme ? 'check' : 'sun'} size={14} />}
            onClick={() => setColorScheme(scheme)}
          >
            {texts.header.theme(texts.header.themes[scheme])}
          </Menu.Item>
        ))}
        <Menu.Item onClick={() => go(paths.profile)}>{common.profile}</Menu.Item>
        <Menu.Item onClick={onKeys}>{texts.keys.title}</Menu.Item>
        <Menu.Divider />
        <Menu.Item onClick={() => void leave(false)}>{texts.header.signOut}</Menu.Item>
        <Menu.Item onClick={() => void leave(true)}>{texts.header.signOutEverywhere}</Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}

export function NotificationsMenu(
  props: OpenedMenu & {
    readonly shown: OperatorAnswer<'listNotifications'>['data'];
    readonly unread: number;
    readonly onRead: () => void;
  },
) {
  const { isOpen, onClose, children, shown, unread, onRead } = props;
  const zone = useZone();
  const go = useGo();
  const open = (path: string) => {
    const [to = '', search = ''] = path.split('?');
    go(to, parseSearch(search));
  };
  const markRead = (upTo: string) => admin.readNotifications({ body: { upTo } }).then(onRead, toastError);
  return (
    <Menu
      opened={isOpen}
      onClose={onClose}
      position="bottom-end"
      width={340}
      transitionProps={{ duration: 0 }}
    >
      <Menu.Target>{children}</Menu.Target>
      <Menu.Dropdown mah="calc(100vh - 64px)" style={{ overflowY: 'auto' }} aria-label={common.notifications}>
        <Menu.Label>{shown.length === 0 ? words.none : words.bell(unread)}</Menu.Label>
        {shown.map(({ id, event, title, path, at, endedAt, unread: isUnread }) => (
          <Menu.Item key={id} onClick={() => open(path)}>
            <Stack component="span" gap={0} style={{ whiteSpace: 'normal', overflowWrap: 'anywhere' }}>
              {isUnread ? (
                <strong>{common.notificationEvents[event]}</strong>
              ) : (
                common.notificationEvents[event]
              )}
              <Hint span>
                <Isolated>{title}</Isolated>
              </Hint>
              <Hint span>
                {[
                  formatTime(at, zone),
                  ...(isUnread ? [words.unread] : []),
                  ...(endedAt === null ? [] : [words.over]),
                ].join(' · ')}
              </Hint>
            </Stack>
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

export function NavigationDrawer({ navigation }: { readonly navigation: ReactNode }) {
  return (
    <Drawer.Root opened onClose={useClose()} size={260} transitionProps={{ duration: 0 }}>
      <Drawer.Overlay backgroundOpacity={0.3} />
      <Drawer.Content aria-label={common.navigation.label}>
        <Drawer.Header role="presentation">
          <Drawer.Title>{common.brand}</Drawer.Title>
          <Drawer.CloseButton aria-label={common.navigation.close} />
        </Drawer.Header>
        <Drawer.Body>{navigation}</Drawer.Body>
      </Drawer.Content>
    </Drawer.Root>
  );
}
