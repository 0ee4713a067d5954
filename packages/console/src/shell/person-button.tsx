import { Text, UnstyledButton } from '@mantine/core';
import { type Session, toPerson, useSession } from '../api/session.ts';
import { Icon } from '../ui/icons.tsx';
import { Opener } from '../ui/opener.tsx';
import { lazyPart } from './lazy.ts';
import { texts } from './texts.ts';

const PersonMenu = lazyPart(async () => (await import('./menus.tsx')).PersonMenu);

export function Person({ onKeys }: { readonly onKeys: () => void }) {
  const { name } = toPerson(useSession<Session>());
  return (
    <Opener
      button={(opener) => (
        <UnstyledButton
          display="flex"
          mih={24}
          style={{ alignItems: 'center', gap: 6 }}
          aria-label={texts.header.person(name)}
          {...opener}
        >
          <Icon name="person" size={18} />
          <Text span visibleFrom="sm">
            {name}
          </Text>
        </UnstyledButton>
      )}
      menu={(props) => <PersonMenu {...props} onKeys={onKeys} />}
    />
  );
}
