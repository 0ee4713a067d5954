/** The shortcuts, and the switch that turns letters off. */
import { Modal, Switch } from '@mantine/core';
import { setPreferences, usePreferences } from '../preferences.ts';
import { texts } from '../texts.ts';

export function KeysHelp({ onClose }: { readonly onClose: () => void }) {
  const { letterKeys } = usePreferences();
  return (
    <Modal.Root opened onClose={onClose} centered transitionProps={{ duration: 0 }}>
      <Modal.Overlay backgroundOpacity={0.4} />
      <Modal.Content>
        <Modal.Header role="presentation">
          <Modal.Title>{texts.keys.title}</Modal.Title>
          <Modal.CloseButton aria-label={texts.panel.close} />
        </Modal.Header>
        <Modal.Body>
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
        </Modal.Body>
      </Modal.Content>
    </Modal.Root>
  );
}
