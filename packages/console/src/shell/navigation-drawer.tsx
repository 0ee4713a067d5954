/** The navigation where the screen is narrow. */
import { Drawer } from '@mantine/core';
import type { ReactNode } from 'react';
import { texts } from '../texts.ts';

export function NavigationDrawer(props: { readonly onClose: () => void; readonly children: ReactNode }) {
  return (
    <Drawer.Root opened onClose={props.onClose} size={260} transitionProps={{ duration: 0 }}>
      <Drawer.Overlay backgroundOpacity={0.3} />
      <Drawer.Content aria-label={texts.navigation.label}>
        <Drawer.Header role="presentation">
          <Drawer.Title>{texts.product}</Drawer.Title>
          <Drawer.CloseButton aria-label={texts.navigation.close} />
        </Drawer.Header>
        <Drawer.Body>{props.children}</Drawer.Body>
      </Drawer.Content>
    </Drawer.Root>
  );
}
