import { Button, Group } from '@mantine/core';
import { save } from '../api/download.ts';
import { common } from '../texts.ts';
import { Facts } from '../ui/page.tsx';
import { CopyButton, useCopy } from '../ui/values.tsx';
import { useClose } from './closing.tsx';
import { Dialog } from './dialog.tsx';
import { texts } from './texts.ts';

export function SecretDialog(props: {
  readonly title: string;
  readonly values: Readonly<Record<string, string>>;
  /** The values, keyed by the environment variables that our examples and the SDK read. */
  readonly variables?: Readonly<Record<string, string>>;
}) {
  const { title, values, variables } = props;
  const lines = Object.entries(variables ?? {}).map(([name, value]) => `${name}=${value}\n`);
  const { isCopied, copy } = useCopy(lines.join(''));
  return (
    <Dialog title={title} size="lg" isSticky>
      <p>{texts.secret.once}</p>
      <Facts
        facts={Object.fromEntries(
          Object.entries(values).map(([name, value]) => [
            name,
            <Group key={name} component="span" gap={4} wrap="nowrap">
              <code>{value}</code>
              <CopyButton text={value} what={name} />
            </Group>,
          ]),
        )}
      />
      <Group justify="flex-end">
        {variables === undefined ? null : (
          <>
            <Button size="sm" onClick={() => save(texts.secret.file, new Blob(lines))}>
              {texts.secret.download}
            </Button>
            <Button size="sm" onClick={copy}>
              {isCopied ? common.copied : texts.secret.copyBoth}
            </Button>
          </>
        )}
        <Button variant="filled" size="sm" data-autofocus onClick={useClose()}>
          {texts.secret.stored}
        </Button>
      </Group>
    </Dialog>
  );
}
