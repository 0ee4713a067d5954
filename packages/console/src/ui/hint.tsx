import { Text, type TextProps } from '@mantine/core';
import type { ReactNode } from 'react';

/** A text that explains something beside it. */
export function Hint(props: TextProps & { readonly children: ReactNode }) {
  return <Text size="xs" c="dimmed" {...props} />;
}
