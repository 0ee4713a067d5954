/** Values that are shown once. It is closed on purpose only: a click beside it would lose them. */
import { Button, Modal } from '@mantine/core';
import { texts } from '../texts.ts';
import { Facts } from './page.tsx';
import { CopyButton } from './values.tsx';

export function SecretDialog(props: {
  readonly title: string;
  readonly values: readonly (readonly [string, string])[];
  readonly onClose: () => void;
}) {
  const { title, values, onClose } = props;
  return (
    <Modal.Root
      opened
      onClose={onClose}
      size="lg"
      centered
      closeOnClickOutside={false}
      closeOnEscape={false}
      transitionProps={{ duration: 120 }}
    >
      <Modal.Overlay backgroundOpacity={0.4} />
      <Modal.Content>
        <Modal.Header role="presentation">
          <Modal.Title>{title}</Modal.Title>
        </Modal.Header>
        <Modal.Body>
          <p>{texts.secret.once}</p>
          <Facts
            facts={values.map(([name, value]) => [
              name,
              <span key={name} className="secret">
                <code>{value}</code>
                <CopyButton text={value} what={name} />
              </span>,
            ])}
          />
          <div className="buttons">
            <Button data-autofocus onClick={onClose}>
              {texts.secret.stored}
            </Button>
          </div>
        </Modal.Body>
      </Modal.Content>
    </Modal.Root>
  );
}
