import { ActionIcon, Button } from '@mantine/core';
import { type Download, download } from '../api/download.ts';
import { Icon } from '../ui/icons.tsx';
import { InlineFailure, useWork } from '../ui/page.tsx';

type Props = Download & { readonly label: string; readonly isIcon?: boolean };

/** An error stays beside the button. */
export function DownloadButton({ label, isIcon = false, ...file }: Props) {
  const { isRunning, error, run } = useWork();
  const shared = { loading: isRunning, onClick: () => void run(() => download(file)) };
  return (
    <>
      {isIcon ? (
        <ActionIcon variant="default" size={30} aria-label={label} title={label} {...shared}>
          <Icon name="imports" />
        </ActionIcon>
      ) : (
        <Button leftSection={<Icon name="imports" size={14} />} {...shared}>
          {label}
        </Button>
      )}
      <InlineFailure error={error} />
    </>
  );
}
