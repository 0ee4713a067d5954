import { Textarea } from '@mantine/core';
import { common } from '../texts.ts';
import { Dialog } from './dialog.tsx';

/** This dialog opens if the browser does not let the console copy. */
export function CopyByHand({ text }: { readonly text: string }) {
  return (
    <Dialog title={common.copyByHand.title}>
      <Textarea
        label={common.copyByHand.says}
        styles={{ input: { fontFamily: 'var(--mantine-font-family-monospace)' } }}
        data-autofocus
        readOnly
        autosize
        value={text}
        onFocus={({ currentTarget }) => currentTarget.select()}
      />
    </Dialog>
  );
}
