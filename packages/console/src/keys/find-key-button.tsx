/** Where people look for a key: at the orders and in the catalogue. */
import { Button } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { useMay } from '../api/session.ts';
import { paths } from '../paths.ts';
import { texts } from '../texts.ts';

export function FindKeyButton() {
  const may = useMay('orders');
  const navigate = useNavigate();
  if (!may) return null;
  return (
    <Button size="xs" variant="default" onClick={() => void navigate({ to: paths.findKey })}>
      {texts.findKey.open}
    </Button>
  );
}
