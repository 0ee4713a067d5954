import { Button } from '@mantine/core';
import { type Download, download } from '../api/download.ts';
import { Icon } from '../ui/icons.tsx';
import { InlineFailure, useWork } from '../ui/page.tsx';

type Props = Download & { readonly label: string; readonly variant?: 'default' | 'subtle' };

/** An error stays beside the button. */
export function DownloadButton({ label, variant = 'default', ...file }: Props) {
  const { isRunning, error, run } = useWork();
  return (
    <>
      <Button
        className="always"
        variant={variant}
        leftSection={<Icon name="imports" size={14} />}
        loading={isRunning}
        onClick={() => void run(() => download(file))}
      >
        {label}
      </Button>
      <InlineFailure error={error} />
    </>
  );
}
