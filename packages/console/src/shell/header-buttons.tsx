import { Text, UnstyledButton } from '@mantine/core';
import { queryClient, useRead } from '../api/queries.ts';
import { useSession } from '../api/session.ts';
import { Icon } from '../ui/icons.tsx';
import { Opener } from '../ui/opener.tsx';
import { lazyPart } from './lazy.ts';
import { texts } from './texts.ts';

const PersonMenu = lazyPart(async () => (await import('./menus.tsx')).PersonMenu);
const NotificationsMenu = lazyPart(async () => (await import('./menus.tsx')).NotificationsMenu);

const SHOWN_MAX = 10;
export function Person({ onKeys }: { readonly onKeys: () => void }) {
  const { operator } = useSession();
  return (
    <Opener
      button={(opener) => (
        <UnstyledButton
          display="flex"
          mih={24}
          style={{ alignItems: 'center', gap: 6 }}
          aria-label={texts.header.person(operator.name)}
          {...opener}
        >
          <Icon name="person" size={18} />
          <Text span visibleFrom="sm">
            {operator.name}
          </Text>
        </UnstyledButton>
      )}
      menu={(props) => <PersonMenu {...props} onKeys={onKeys} />}
    />
  );
}

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
