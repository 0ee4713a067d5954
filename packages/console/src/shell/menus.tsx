import { Drawer, Menu, useMantineColorScheme } from '@mantine/core';
import type { ReactNode } from 'react';
import { queryClient } from '../api/queries.ts';
import { type Session, signOut, toPerson, useSession } from '../api/session.ts';
import { useClose } from '../forms/closing.tsx';
import { forgetDrafts } from '../forms/forget-drafts.ts';
import { common } from '../texts.ts';
import { Icon } from '../ui/icons.tsx';
import type { OpenedMenu } from '../ui/opener.tsx';
import { Isolated } from '../ui/values.tsx';
import { paths, useGo } from '../url.ts';
import { texts } from './texts.ts';
import '../mantine-more.css';

const THEME_ICONS = { light: 'sun', dark: 'moon', auto: 'screen' } as const;

export function PersonMenu({
  onKeys,
  isOpen,
  onClose,
  children,
}: OpenedMenu & { readonly onKeys: () => void }) {
  const { name, email, role } = toPerson(useSession<Session>());
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
      offset={16}
      width={220}
      transitionProps={{ duration: 0 }}
    >
      <Menu.Target>{children}</Menu.Target>
      <Menu.Dropdown aria-label={name}>
        <Menu.Label className="wraps">
          <Isolated>{email}</Isolated> · {role}
        </Menu.Label>
        {(['light', 'dark', 'auto'] as const).map((scheme) => (
          <Menu.Item
            key={scheme}
            leftSection={<Icon name={THEME_ICONS[scheme]} size={14} />}
            rightSection={colorScheme === scheme ? <Icon name="check" size={14} /> : null}
            onClick={() => setColorScheme(scheme)}
          >
            {texts.header.theme(texts.header.themes[scheme])}
          </Menu.Item>
        ))}
        <Menu.Item leftSection={<Icon name="person" size={14} />} onClick={() => go(paths.profile)}>
          {common.profile}
        </Menu.Item>
        <Menu.Item leftSection={<Icon name="keyboard" size={14} />} onClick={onKeys}>
          {texts.keys.title}
        </Menu.Item>
        <Menu.Divider />
        <Menu.Item leftSection={<Icon name="leave" size={14} />} onClick={() => void leave(false)}>
          {texts.header.signOut}
        </Menu.Item>
        <Menu.Item leftSection={<Icon name="leave" size={14} />} onClick={() => void leave(true)}>
          {texts.header.signOutEverywhere}
        </Menu.Item>
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
