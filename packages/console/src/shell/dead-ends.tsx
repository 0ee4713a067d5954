import { Button } from '@mantine/core';
import type { ReactNode } from 'react';
import { useSession } from '../api/session.ts';
import type { IconName } from '../ui/icons.tsx';
import { Empty, Page } from '../ui/page.tsx';
import { Link } from '../ui/values.tsx';
import { paths } from '../url.ts';

type Props = {
  readonly icon: IconName;
  readonly title: string;
  readonly says?: string;
  readonly action?: ReactNode;
};

function DeadEnd({ icon, title, says = title, action }: Props) {
  return (
    <Page title={title}>
      <Empty icon={icon} action={action ?? <Link to={paths.home}>Go to Home</Link>}>
        {says}
      </Empty>
    </Page>
  );
}

export function NoPage() {
  return <DeadEnd icon="search" title="There is no page here." />;
}

export function Forbidden() {
  return (
    <DeadEnd
      icon="lock"
      title={`Your role (${useSession().operator.role}) does not include this. An administrator can change it.`}
    />
  );
}

/** A fault of the page itself, such as a file of an earlier version that is gone. */
export function Broken() {
  const reload = (
    <Button variant="filled" size="sm" onClick={() => location.reload()}>
      Reload
    </Button>
  );
  return (
    <DeadEnd
      icon="alert"
      title="This could not be loaded."
      says="This page stopped working, or a newer version was installed. Nothing was changed."
      action={reload}
    />
  );
}
