import { Button } from '@mantine/core';
import { useMay } from '../api/session.ts';
import { common } from '../texts.ts';
import { paths, useGo } from '../url.ts';

export function FindKeyButton() {
  const may = useMay('orders');
  const go = useGo();
  if (!may) return null;
  return <Button onClick={() => go(paths.findKey)}>{common.findKey}…</Button>;
}
