/** What belongs to the person who is signed in; loaded when it is opened. */
import { Menu, useMantineColorScheme } from '@mantine/core';
import type { ReactNode } from 'react';
import { queryClient } from '../api/queries.ts';
import { signOut, useSession } from '../api/session.ts';
import { forgetDrafts } from '../forms/drafts.ts';
import { paths } from '../paths.ts';
import { texts } from '../texts.ts';
import { Icon } from '../ui/icons.tsx';
import { useGo } from '../url.ts';

export function PersonMenu(props: {
  readonly onKeys: () => void;
  readonly onClose: () => void;
  readonly children: ReactNode;
}) {
  const { onKeys, onClose, children } = props;
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
