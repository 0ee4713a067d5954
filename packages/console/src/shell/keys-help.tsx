import { Box, Group, Switch } from '@mantine/core';
import { Dialog } from '../forms/dialog.tsx';
import { setPreferences, usePreferences } from '../preferences.ts';
import { texts } from './texts.ts';

export type Shortcut = readonly [keys: string, meaning: string];

/** `more`: the shortcuts of this app. */
export function KeysHelp({ more }: { readonly more: readonly Shortcut[] }) {
  const { letterKeys } = usePreferences();
  return (
    <Dialog title={texts.keys.title}>
      <Switch
        label={texts.keys.letters}
        checked={letterKeys}
        onChange={({ currentTarget }) => setPreferences({ letterKeys: currentTarget.checked })}
      />
      <Box component="dl" mt={12}>
        {[...texts.keys.list, ...more].map(([keys, meaning]) => (
          <Group key={keys} gap={12} py={4} wrap="nowrap">
            <Group component="dt" w={110} gap={4}>
              {keys.split(' ').map((key) => (
                <kbd key={key}>{key}</kbd>
              ))}
            </Group>
            <dd>{meaning}</dd>
          </Group>
        ))}
      </Box>
    </Dialog>
  );
}
