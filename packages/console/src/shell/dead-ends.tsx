import { Button } from '@mantine/core';
import type { ReactNode } from 'react';
import { IS_PORTAL } from '../api/place.ts';
import { type Session, toPerson, useSession } from '../api/session.ts';
import { common } from '../texts.ts';
import type { IconName } from '../ui/icons.tsx';
import { Empty, Page } from '../ui/page.tsx';
import { Link } from '../ui/values.tsx';
import { paths } from '../url.ts';
import { texts } from './texts.ts';

type Props = {
  readonly icon: IconName;
  readonly title: string;
  readonly says: string;
  readonly action?: ReactNode;
};

function DeadEnd({ icon, title, says, action }: Props) {
  return (
    <Page title={title}>
      <Empty icon={icon} action={action ?? <Link to={paths.home}>{texts.states.home}</Link>}>
        {says}
      </Empty>
    </Page>
  );
}

export function NoPage() {
  return <DeadEnd icon="search" title={texts.states.noPage} says={texts.states.noPageSays} />;
}

export function Forbidden() {
  return (
    <DeadEnd
      icon="lock"
      title={texts.states.noRight}
      says={texts.states.forbidden(toPerson(useSession<Session>()).role, IS_PORTAL)}
    />
  );
}

/** A fault of the page itself, such as a file of an earlier version that is gone. */
export function Broken() {
  const reload = (
    <Button variant="filled" size="sm" onClick={() => location.reload()}>
      {texts.states.reload}
    </Button>
  );
  return <DeadEnd icon="alert" title={common.failed} says={texts.states.broken} action={reload} />;
}
