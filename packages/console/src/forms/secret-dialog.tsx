import { Button } from '@mantine/core';
import { Facts } from '../ui/page.tsx';
import { CopyButton } from '../ui/values.tsx';
import { useClose } from './closing.tsx';
import { Dialog } from './dialog.tsx';
import { texts } from './texts.ts';

export function SecretDialog(props: {
  readonly title: string;
  readonly values: Readonly<Record<string, string>>;
}) {
  const { title, values } = props;
  return (
    <Dialog title={title} size="lg" isSticky>
      <p>{texts.secret.once}</p>
      <Facts
        facts={Object.fromEntries(
          Object.entries(values).map(([name, value]) => [
            name,
            <span key={name} className="secret">
              <code>{value}</code>
              <CopyButton text={value} what={name} />
            </span>,
          ]),
        )}
      />
      <div className="buttons">
        <Button variant="filled" size="sm" data-autofocus onClick={useClose()}>
          {texts.secret.stored}
        </Button>
      </div>
    </Dialog>
  );
}
