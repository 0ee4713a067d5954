import { Button, Group, Stack, Text } from '@mantine/core';
import { save } from '../api/download.ts';
import { common } from '../texts.ts';
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
      <Stack component="dl" gap={12} mb={16}>
        {Object.entries(values).map(([name, value]) => (
          <div key={name}>
            <Text component="dt" size="xs" c="dimmed">
              {name}
            </Text>
            <Group component="dd" gap={4} wrap="nowrap">
              <pre className="grow">
                <code>{value}</code>
              </pre>
              <CopyButton text={value} what={name} />
            </Group>
          </div>
        ))}
      </Stack>
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
