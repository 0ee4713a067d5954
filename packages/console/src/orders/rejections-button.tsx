/** What never became an order is looked for among the orders. */
import { Button } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { paths } from '../paths.ts';
import { texts } from '../texts.ts';

export function RejectionsButton() {
  const navigate = useNavigate();
  return (
    <Button size="xs" variant="default" onClick={() => void navigate({ to: paths.rejections })}>
      {texts.rejections.title}
    </Button>
  );
}
