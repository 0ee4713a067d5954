import type { OperatorAnswer } from '@keyport/sdk-source/admin';
import { Menu, Stack, Text } from '@mantine/core';
import { admin } from '../api/admin.ts';
import { navigate, parseSearch } from '../places.tsx';
import { useZone } from '../preferences.ts';
import { common } from '../texts.ts';
import { Hint } from '../ui/hint.tsx';
import { Icon } from '../ui/icons.tsx';
import type { OpenedMenu } from '../ui/opener.tsx';
import { toastError } from '../ui/toasts.tsx';
import { formatTime, Isolated } from '../ui/values.tsx';
import { wordReason } from '../ui/wording.ts';
import { paths, useGo } from '../url.ts';
import { texts as words } from './notifications/texts.ts';
import { texts } from './texts.ts';
import '../mantine-more.css';

/** The choices are the last section of the profile: the page scrolls as far as it reaches. */
const CHOICES = 10_000;

const SOLD_OUT = /, 0 left$/;

const toHead = (event: Line['event'], title: string) =>
  event === 'low-stock' && SOLD_OUT.test(title) ? words.soldOut : common.notificationEvents[event];

/** The service lists names, amounts and the codes of reasons. */
const inWords = (title: string) => title.replace(SOLD_OUT, '').split(', ').map(wordReason).join(', ');

/** `count`: the number of notifications for which the line stands. */
export type Line = OperatorAnswer<'listNotifications'>['data'][number] & { readonly count: number };

export function NotificationsMenu(
  props: OpenedMenu & {
    readonly shown: readonly Line[];
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
      offset={16}
      width={340}
      transitionProps={{ duration: 0 }}
    >
      <Menu.Target>{children}</Menu.Target>
      <Menu.Dropdown mah="calc(100vh - 64px)" style={{ overflowY: 'auto' }} aria-label={common.notifications}>
        <Menu.Label>{shown.length === 0 ? words.none : texts.notifications.bell(unread)}</Menu.Label>
        {shown.map(({ id, event, title, path, at, endedAt, count, unread: isUnread }) => (
          <Menu.Item key={id} onClick={() => open(path)}>
            <Stack component="span" gap={0} style={{ whiteSpace: 'normal', overflowWrap: 'anywhere' }}>
              <Text span fw={isUnread ? 600 : 400}>
                {count === 1 ? toHead(event, title) : words.held(count)}
              </Text>
              <Hint span>
                <Isolated>{count === 1 ? inWords(title) : words.latest(inWords(title))}</Isolated>
              </Hint>
              <Hint span>
                {[
                  formatTime(at, zone),
                  ...(isUnread ? [words.unread] : []),
                  ...(endedAt === null ? [] : [words.over[event]]),
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
        <Menu.Item onClick={() => navigate({ to: paths.profile, top: CHOICES })}>{words.choose}</Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
