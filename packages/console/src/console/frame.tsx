import { Button, Text, VisuallyHidden } from '@mantine/core';
import type { ReactNode } from 'react';
import { useAttention } from '../api/admin.ts';
import { useSession } from '../api/session.ts';
import { FINDS } from '../catalogue/choices.ts';
import { openDialog } from '../forms/closing.tsx';
import { toFirstApproval } from '../operate/open-approvals.tsx';
import { PREVIEWS } from '../operate/previews.ts';
import { Frame } from '../shell/frame.tsx';
import { lazyPart } from '../shell/lazy.ts';
import { useCommands } from '../ui/commands.ts';
import { Icon } from '../ui/icons.tsx';
import { keepTyped } from '../ui/keys.ts';
import { useGo } from '../url.ts';
import { Bell } from './bell.tsx';
import { useActions, useEntries } from './screens.ts';
import { texts } from './texts.ts';

const Views = lazyPart(async () => (await import('../views/views.tsx')).Views);
const Palette = lazyPart(async () => (await import('./palette.tsx')).Palette);

export function ConsoleFrame({ children }: { readonly children: ReactNode }) {
  const entries = useEntries();
  const counts = useCounts();
  const actions = useActions();
  const go = useGo();
  const { operator } = useSession();
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
  const findKey = (code: string) => openDialog(<Palette text={code} />);
  return (
    <Frame
      app={{ owner: operator.id, toFirst: toFirstApproval, finds: FINDS, findKey, Views, previews: PREVIEWS }}
      entries={entries.map(({ count, ...entry }) => ({ ...entry, count: count && counts[count] }))}
      keys={{ 'mod k': openPalette }}
      help={texts.keys}
      search={<SearchButton onClick={openPalette} />}
      tools={<Bell />}
    >
      {children}
    </Frame>
  );
}

/** One request loads all counts; Home shares it. */
function useCounts(): Partial<Record<'held' | 'claims' | 'approvals', number>> {
  const { data } = useAttention(15_000);
  if (data === undefined) return {};
  return { held: data.heldOrders.count, claims: data.openClaims.count, approvals: data.approvals.count };
}

function SearchButton({ onClick }: { readonly onClick: () => void }) {
  return (
    <Button
      w={{ base: 30, sm: 220 }}
      px={{ base: 0, sm: 8 }}
      fw={400}
      c="dimmed"
      className="search-button"
      onClick={onClick}
    >
      <Icon name="search" size={14} />
      <Text span inherit className="grow" ta="left" visibleFrom="sm">
        {texts.search}
      </Text>
      <Text component="kbd" fz={11} visibleFrom="sm">
        {texts.searchKeys}
      </Text>
      <VisuallyHidden hiddenFrom="sm">{texts.search}</VisuallyHidden>
    </Button>
  );
}
