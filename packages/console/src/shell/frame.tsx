import { ActionIcon, Box, Button, Group, Paper, Text, VisuallyHidden } from '@mantine/core';
import type { ReactNode } from 'react';
import { queryClient, useAttention, useNotCurrentSince } from '../api/queries.ts';
import { useSession } from '../api/session.ts';
import { FormApp } from '../forms/app.ts';
import { Dialogs, openDialog, useClose } from '../forms/closing.tsx';
import { toFirstApproval } from '../operate/open-approvals.tsx';
import { setPreferences, usePreferences, useZone } from '../preferences.ts';
import { useActions, useEntries } from '../screens.ts';
import { common } from '../texts.ts';
import { useCommands } from '../ui/commands.ts';
import { useKeptFocus } from '../ui/focus.ts';
import { Brand, Icon } from '../ui/icons.tsx';
import { type Keys, keepTyped, useKeys, useSequences } from '../ui/keys.ts';
import { formatClock, Link } from '../ui/values.tsx';
import { useGo } from '../url.ts';
import { Bell, Person } from './header-buttons.tsx';
import { lazyPart } from './lazy.ts';
import { SessionEnd } from './session-end.tsx';
import { texts } from './texts.ts';

const Palette = lazyPart(async () => (await import('./palette.tsx')).Palette);
const NavigationDrawer = lazyPart(async () => (await import('./menus.tsx')).NavigationDrawer);
const KeysHelp = lazyPart(async () => (await import('./keys-help.tsx')).KeysHelp);

export function Frame({ children }: { readonly children: ReactNode }) {
  const { zone } = usePreferences();
  useSequences();
  useKeptFocus();
  const entries = useEntries();
  const actions = useActions();
  const go = useGo();
  useCommands(() =>
    actions.map(({ label, icon, opens }) => ({
      label,
      icon,
      isEverywhere: true,
      run: () => (typeof opens === 'string' ? go(opens) : openDialog(opens)),
    })),
  );
  const openPalette = () => {
    keepTyped();
    openDialog(<Palette />);
  };
  const goTo: Keys = Object.fromEntries(
    entries.flatMap(({ path, key }) => (key === undefined ? [] : [[`g ${key}`, () => go(path)]])),
  );
  useKeys({
    ...goTo,
    'mod k': openPalette,
    '?': () => openDialog(<KeysHelp />),
    u: () => setPreferences({ zone: zone === 'utc' ? 'local' : 'utc' }),
  });
  const { operator } = useSession();
  return (
    <FormApp value={{ owner: operator.id, toFirst: toFirstApproval }}>
      <div className="frame">
        <a className="skip" href="#content">
          {common.navigation.skip}
        </a>
        <Header
          onMenu={() => openDialog(<NavigationDrawer navigation={<Navigation className="in-drawer" />} />)}
          onPalette={openPalette}
          onKeys={() => openDialog(<KeysHelp />)}
        />
        <Navigation className="sidebar" />
        <main id="content">
          <SessionEnd />
          {children}
        </main>
        <NotCurrent />
        <Dialogs />
      </div>
    </FormApp>
  );
}

/** At the edge, so that it moves nothing else. The region always exists, so that screen readers announce its changes. */
function NotCurrent() {
  const sinceMs = useNotCurrentSince();
  const zone = useZone();
  return (
    <Box pos="fixed" left={12} bottom={16} maw={184} style={{ zIndex: 400 }} role="status">
      {sinceMs === undefined ? null : (
        <Paper withBorder px={12} py={8} c="var(--warn)" bg="var(--warn-tint)">
          {texts.states.notCurrent(formatClock(sinceMs, zone))}{' '}
          <Button size="compact-xs" onClick={() => void queryClient.refetchQueries({ type: 'active' })}>
            {common.retry}
          </Button>
        </Paper>
      )}
    </Box>
  );
}

function Navigation({ className }: { readonly className: string }) {
  const close = useClose();
  const entries = useEntries();
  const counts = useCounts();
  return (
    <nav className={className} aria-label={common.navigation.label}>
      <ul>
        {entries.map(({ path, icon, title, count }) => (
          <li key={path}>
            <Link to={path} onClick={close}>
              <Icon name={icon} />
              {title}
              {count !== undefined && (counts[count] ?? 0) > 0 ? (
                <span className="count">{counts[count]}</span>
              ) : null}
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  );
}

/** One request loads all counts; Home shares it. */
function useCounts(): Partial<Record<'held' | 'claims' | 'approvals', number>> {
  const { data } = useAttention(15_000);
  if (data === undefined) return {};
  return { held: data.heldOrders.count, claims: data.openClaims.count, approvals: data.approvals.count };
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
    <Group component="header" className="header" gap={12} px={16} wrap="nowrap">
      <ActionIcon hiddenFrom="sm" aria-label={common.navigation.open} onClick={props.onMenu}>
        <Icon name="menu" size={20} />
      </ActionIcon>
      <Brand mode={mode} />
      <Button
        miw={{ base: 0, sm: 220 }}
        fw={400}
        c="dimmed"
        justify="space-between"
        rightSection={
          <Text component="kbd" fz={11} visibleFrom="sm">
            {texts.header.searchKeys}
          </Text>
        }
        leftSection={<Icon name="search" size={14} />}
        onClick={props.onPalette}
      >
        <Text span inherit visibleFrom="sm">
          {texts.header.search}
        </Text>
        <VisuallyHidden hiddenFrom="sm">{texts.header.search}</VisuallyHidden>
      </Button>
      <span className="grow" />
      <Button
        fw={400}
        c="dimmed"
        visibleFrom="sm"
        variant="subtle"
        title={texts.header.zone(zone)}
        aria-pressed={chosen === 'utc'}
        onClick={() => setPreferences({ zone: chosen === 'utc' ? 'local' : 'utc' })}
      >
        {zone}
      </Button>
      <Bell />
      <Person onKeys={props.onKeys} />
    </Group>
  );
}
