import { UnstyledButton } from '@mantine/core';
import { type ReactNode, Suspense, useState } from 'react';
import { queryClient, useRead } from '../api/queries.ts';
import { useSession } from '../api/session.ts';
import { usePlace } from '../places.tsx';
import { Icon } from '../ui/icons.tsx';
import { lazyPart } from './lazy.ts';
import { texts } from './texts.ts';

const PersonMenu = lazyPart(async () => (await import('./menus.tsx')).PersonMenu);
const NotificationsMenu = lazyPart(async () => (await import('./menus.tsx')).NotificationsMenu);

const SHOWN_MAX = 10;
export function Person({ onKeys }: { readonly onKeys: () => void }) {
  const { operator } = useSession();
  return (
    <Opener
      className="person"
      label={texts.header.person(operator.name)}
      menu={(props) => <PersonMenu {...props} onKeys={onKeys} />}
    >
      <Icon name="person" size={18} />
      <span>{operator.name}</span>
    </Opener>
  );
}

export function Bell() {
  const { data } = useRead('listNotifications', { query: { limit: SHOWN_MAX } }, { everyMs: 15_000 });
  const shown = data?.data ?? [];
  const unread = data?.meta.unread ?? 0;
  const onRead = () => void queryClient.invalidateQueries({ queryKey: ['listNotifications'] });
  return (
    <Opener
      className="bell"
      label={texts.notifications.bell(unread)}
      menu={(props) => <NotificationsMenu {...props} shown={shown} unread={unread} onRead={onRead} />}
    >
      <Icon name="bell" size={18} />
      {unread > 0 ? <span className="count">{unread}</span> : null}
    </Opener>
  );
}

function Opener(props: {
  readonly className: string;
  readonly label: string;
  readonly menu: (props: { readonly onClose: () => void; readonly children: ReactNode }) => ReactNode;
  readonly children: ReactNode;
}) {
  const { className, label, menu, children } = props;
  const { path } = usePlace();
  const [openOn, setOpenOn] = useState<string>();
  const isOpen = openOn === path;
  const button = (
    <UnstyledButton
      className={className}
      aria-label={label}
      aria-haspopup="menu"
      aria-expanded={isOpen}
      onClick={() => setOpenOn(isOpen ? undefined : path)}
    >
      {children}
    </UnstyledButton>
  );
  if (!isOpen) return button;
  return (
    <Suspense fallback={button}>{menu({ onClose: () => setOpenOn(undefined), children: button })}</Suspense>
  );
}
