/** The frame of an app: header, navigation, and the page. */
import { ActionIcon, Box, Button, Group, Paper } from '@mantine/core';
import type { ReactNode } from 'react';
import { queryClient, useNotCurrentSince } from '../api/queries.ts';
import { type Session, useSession } from '../api/session.ts';
import { App } from '../app.ts';
import { Dialogs, openDialog, useClose } from '../forms/closing.tsx';
import { setPreferences, usePreferences, useZone } from '../preferences.ts';
import { common } from '../texts.ts';
import { useKeptFocus } from '../ui/focus.ts';
import { Brand, Icon, type IconName } from '../ui/icons.tsx';
import { type Keys, useKeys, useSequences } from '../ui/keys.ts';
import { formatClock, Link } from '../ui/values.tsx';
import { useGo } from '../url.ts';
import type { Shortcut } from './keys-help.tsx';
import { lazyPart } from './lazy.ts';
import { Person } from './person-button.tsx';
import { SessionEnd } from './session-end.tsx';
import { texts } from './texts.ts';

const NavigationDrawer = lazyPart(async () => (await import('./menus.tsx')).NavigationDrawer);
const KeysHelp = lazyPart(async () => (await import('./keys-help.tsx')).KeysHelp);

type Entry = {
  readonly path: string;
  readonly icon: IconName;
  readonly title: string;
  /** Apart from the entries before it. */
  readonly startsGroup?: true;
  /** Pressed after `g`. */
  readonly key?: string;
  /** The number of open matters. */
  readonly count?: number | undefined;
};

type Props = {
  readonly app: App;
  readonly entries: readonly Entry[];
  readonly keys?: Keys;
  /** The meanings of keys that only this app has. */
  readonly help?: readonly Shortcut[];
  /** Tools in the header: on the left, and beside the person. */
  readonly search?: ReactNode;
  readonly tools?: ReactNode;
  readonly children: ReactNode;
};

export function Frame({ app, entries, keys = {}, help = [], search, tools, children }: Props) {
  const { zone } = usePreferences();
  useSequences();
  useKeptFocus();
  const go = useGo();
  const goTo: Keys = Object.fromEntries(
    entries.flatMap(({ path, key }) => (key === undefined ? [] : [[`g ${key}`, () => go(path)]])),
  );
  const shortcuts = entries.flatMap(({ key, title }): Shortcut[] =>
    key === undefined ? [] : [[`g ${key}`, texts.keys.goTo(title)]],
  );
  const showKeys = () => openDialog(<KeysHelp more={[...help, ...shortcuts]} />);
  useKeys({
    ...goTo,
    ...keys,
    '?': showKeys,
    u: () => setPreferences({ zone: zone === 'utc' ? 'local' : 'utc' }),
  });
  const navigation = (className: string) => <Navigation className={className} entries={entries} />;
  return (
    <App value={app}>
      <div className="frame">
        <a className="skip" href="#content">
          {common.navigation.skip}
        </a>
        <Group component="header" className="header" gap={12} px={16} wrap="nowrap">
          <ActionIcon
            hiddenFrom="sm"
            aria-label={common.navigation.open}
            onClick={() => openDialog(<NavigationDrawer navigation={navigation('in-drawer')} />)}
          >
            <Icon name="menu" size={20} />
          </ActionIcon>
          <Brand mode={useSession<Session>().mode} />
          {search}
          <span className="grow" />
          <Zone />
          {tools}
          <Person onKeys={showKeys} />
        </Group>
        {navigation('sidebar')}
        <main id="content">
          <SessionEnd />
          {children}
        </main>
        <NotCurrent />
        <Dialogs />
      </div>
    </App>
  );
}

function Zone() {
  const zone = useZone();
  const { zone: chosen } = usePreferences();
  return (
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

function Navigation(props: { readonly className: string; readonly entries: readonly Entry[] }) {
  const { className, entries } = props;
  const close = useClose();
  return (
    <nav className={className} aria-label={common.navigation.label}>
      <ul>
        {entries.map(({ path, icon, title, startsGroup, count = 0 }) => (
          <li key={path} className={startsGroup && 'starts-group'}>
            <Link to={path} onClick={close}>
              <Icon name={icon} />
              {title}
              {count > 0 ? <span className="count">{count}</span> : null}
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  );
}
