/** The frame of every screen: navigation, header, shortcuts. */
import { Button, Drawer, Menu, UnstyledButton, useMantineColorScheme } from '@mantine/core';
import { useRouterState } from '@tanstack/react-router';
import { lazy, type ReactNode, Suspense, useState } from 'react';
import { queryClient, useAttention, useNotCurrentSince } from '../api/queries.ts';
import { signOut, useSession } from '../api/session.ts';
import { forgetDrafts } from '../forms/drafts.ts';
import { paths } from '../paths.ts';
import { setPreferences, usePreferences, useZone } from '../preferences.ts';
import { texts } from '../texts.ts';
import { useKeptFocus } from '../ui/focus.ts';
import { Icon } from '../ui/icons.tsx';
import { type Keys, useKeys, useSequences } from '../ui/keys.ts';
import { Link } from '../ui/link.tsx';
import { formatClock } from '../ui/values.tsx';
import { useGo } from '../url.ts';
import { Bell } from './bell.tsx';
import { useEntries } from './entries.ts';
import { SessionEnd } from './session-end.tsx';

const Palette = lazy(() => import('./palette.tsx').then(({ Palette }) => ({ default: Palette })));
const KeysHelp = lazy(() => import('./keys-help.tsx').then(({ KeysHelp }) => ({ default: KeysHelp })));

/** Counts beside the navigation. */
const COUNTS_EVERY_MS = 15_000;

export function Frame({ children }: { readonly children: ReactNode }) {
  const [isMenuOpen, setMenuOpen] = useState(false);
  const [open, setOpen] = useState<'palette' | 'keys'>();
  const { zone } = usePreferences();
  useSequences();
  useKeptFocus();
  const entries = useEntries();
  const go = useGo();
  const goTo: Keys = Object.fromEntries(
    entries.flatMap(({ path, entry }) =>
      entry.key === undefined ? [] : [[`g ${entry.key}`, () => go(path)]],
    ),
  );
  useKeys({
    ...goTo,
    'mod k': () => setOpen('palette'),
    '?': () => setOpen('keys'),
    u: () => setPreferences({ zone: zone === 'utc' ? 'local' : 'utc' }),
  });
  return (
    <div className="frame">
      <a className="skip" href="#content">
        {texts.navigation.skip}
      </a>
      <Header
        onMenu={() => setMenuOpen(true)}
        onPalette={() => setOpen('palette')}
        onKeys={() => setOpen('keys')}
      />
      <Navigation className="sidebar" />
      <Drawer.Root
        opened={isMenuOpen}
        onClose={() => setMenuOpen(false)}
        size={260}
        transitionProps={{ duration: 120 }}
      >
        <Drawer.Overlay backgroundOpacity={0.3} />
        <Drawer.Content aria-label={texts.navigation.label}>
          <Drawer.Header role="presentation">
            <Drawer.Title>{texts.product}</Drawer.Title>
            <Drawer.CloseButton aria-label={texts.navigation.close} />
          </Drawer.Header>
          <Drawer.Body>
            <Navigation className="in-drawer" onGo={() => setMenuOpen(false)} />
          </Drawer.Body>
        </Drawer.Content>
      </Drawer.Root>
      <main id="content">
        <SessionEnd />
        {children}
      </main>
      <NotCurrent />
      <Suspense>
        {open === 'palette' ? <Palette onClose={() => setOpen(undefined)} /> : null}
        {open === 'keys' ? <KeysHelp onClose={() => setOpen(undefined)} /> : null}
      </Suspense>
    </div>
  );
}

/** At the edge, where it moves nothing. The region is always there, so that what comes into it is read out. */
function NotCurrent() {
  const sinceMs = useNotCurrentSince();
  const zone = useZone();
  return (
    <div className="not-current" role="status">
      {sinceMs === undefined ? null : (
        <p>
          {texts.states.notCurrent(formatClock(sinceMs, zone))}{' '}
          <Button
            size="compact-xs"
            variant="default"
            onClick={() => void queryClient.refetchQueries({ type: 'active' })}
          >
            {texts.common.retry}
          </Button>
        </p>
      )}
    </div>
  );
}

function Navigation({ className, onGo }: { readonly className: string; readonly onGo?: () => void }) {
  const entries = useEntries();
  const counts = useCounts();
  return (
    <nav className={className} aria-label={texts.navigation.label}>
      <ul>
        {entries.map(({ path, entry, title }) => (
          <li key={path}>
            <Link to={path} {...(onGo === undefined ? {} : { onClick: onGo })}>
              <Icon name={entry.icon} />
              {title}
              {entry.count !== undefined && (counts[entry.count] ?? 0) > 0 ? (
                <span className="count">{counts[entry.count]}</span>
              ) : null}
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  );
}

/** One request for all counts, which Home shows too. */
function useCounts(): Partial<Record<'held' | 'claims' | 'approvals', number>> {
  const { data } = useAttention(COUNTS_EVERY_MS);
  if (data === undefined) return {};
  return {
    held: data.heldOrders.count,
    claims: data.openClaims.count,
    approvals: data.approvals.count,
  };
}

function Header(props: {
  readonly onMenu: () => void;
  readonly onPalette: () => void;
  readonly onKeys: () => void;
}) {
  const { mode } = useSession();
  const zone = useZone();
  const { zone: chosen } = usePreferences();
  return (
    <header className="header">
      <UnstyledButton className="menu-button" aria-label={texts.navigation.open} onClick={props.onMenu}>
        <Icon name="menu" size={20} />
      </UnstyledButton>
      <span className="product">{texts.product}</span>
      <span className={`mode ${mode}`}>{texts.header[mode]}</span>
      <Button
        className="palette-button"
        variant="default"
        size="xs"
        leftSection={<Icon name="search" size={14} />}
        onClick={props.onPalette}
      >
        <span>{texts.common.searchOrJumpTo}</span>
        <kbd>Ctrl K</kbd>
      </Button>
      <span className="grow" />
      <Button
        className="zone"
        variant="subtle"
        size="xs"
        title={texts.header.zone(zone)}
        aria-pressed={chosen === 'utc'}
        onClick={() => setPreferences({ zone: chosen === 'utc' ? 'local' : 'utc' })}
      >
        {zone}
      </Button>
      <Bell />
      <PersonMenu onKeys={props.onKeys} />
    </header>
  );
}

function PersonMenu({ onKeys }: { readonly onKeys: () => void }) {
  const { operator } = useSession();
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  const path = useRouterState({ select: ({ location }) => location.pathname });
  const go = useGo();
  const leave = (everywhere: boolean) =>
    signOut(everywhere, () => {
      queryClient.clear();
      forgetDrafts();
    });
  return (
    <Menu key={path} position="bottom-end" width={220} transitionProps={{ duration: 0 }}>
      <Menu.Target>
        <UnstyledButton className="person" aria-label={texts.header.person(operator.name)}>
          <Icon name="person" size={18} />
          <span>{operator.name}</span>
        </UnstyledButton>
      </Menu.Target>
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
            {texts.header.theme}: {texts.header.themes[scheme].toLowerCase()}
          </Menu.Item>
        ))}
        <Menu.Item onClick={() => go(paths.profile)}>{texts.common.profile}</Menu.Item>
        <Menu.Item onClick={onKeys}>{texts.common.keyboardShortcuts}</Menu.Item>
        <Menu.Divider />
        <Menu.Item onClick={() => void leave(false)}>{texts.header.signOut}</Menu.Item>
        <Menu.Item onClick={() => void leave(true)}>{texts.header.signOutEverywhere}</Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
