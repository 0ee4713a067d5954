import { Button } from '@mantine/core';
import { useState } from 'react';
import { type Download, download } from '../api/download.ts';
import { Icon } from '../ui/icons.tsx';
import { InlineFailure } from '../ui/page.tsx';

type Props = Download & { readonly label: string; readonly variant?: 'default' | 'subtle' };

/** An error stays beside the button. */
export function DownloadButton({ label, variant = 'default', ...file }: Props) {
  const [isLoading, setLoading] = useState(false);
  const [error, setError] = useState<unknown>();
  const save = async () => {
    setLoading(true);
    setError(undefined);
    await download(file).catch(setError);
    setLoading(false);
  };
  return (
    <>
      <Button
        className="always"
        variant={variant}
        leftSection={<Icon name="imports" size={14} />}
        loading={isLoading}
        onClick={() => void save()}
      >
        {label}
      </Button>
      <InlineFailure error={error} />
    </>
  );
}
