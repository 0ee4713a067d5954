/** The progress of work that takes many requests. */
import { Progress, Stack } from '@mantine/core';

export function Steps({ text, share }: { readonly text: string; readonly share: number }) {
  return (
    <Stack gap={6}>
      <Progress value={share * 100} aria-label={text} />
      <span>{text}</span>
    </Stack>
  );
}
