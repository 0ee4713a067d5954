import { Switch } from '@mantine/core';
import { Dialog } from '../forms/dialog.tsx';
import { setPreferences, usePreferences } from '../preferences.ts';
import { texts } from './texts.ts';

export function KeysHelp() {
  const { letterKeys } = usePreferences();
  return (
    <Dialog title={texts.keys.title}>
      <Switch
        label={texts.keys.letters}
        checked={letterKeys}
        onChange={({ currentTarget }) => setPreferences({ letterKeys: currentTarget.checked })}
      />
      <dl className="keys-help">
        {texts.keys.list.map(([keys, meaning]) => (
          <div key={keys}>
            <dt>
              {keys.split(' ').map((key) => (
                <kbd key={key}>{key}</kbd>
              ))}
            </dt>
            <dd>{meaning}</dd>
          </div>
        ))}
      </dl>
    </Dialog>
  );
}
