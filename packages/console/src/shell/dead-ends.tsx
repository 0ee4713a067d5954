import { Button } from '@mantine/core';
import { type ReactNode, useEffect, useState } from 'react';
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

const LOOK_EVERY_MS = 3000;

/** Whether the service cannot be reached. Once it can be again, the page loads again. */
function useLost(): boolean {
  const [isLost, setLost] = useState(false);
  useEffect(() => {
    if (isLost) {
      const look = () => fetch(location.href, { cache: 'no-store' }).then(() => location.reload());
      const timer = setInterval(() => void look().catch(() => {}), LOOK_EVERY_MS);
      return () => clearInterval(timer);
    }
    fetch(location.href, { cache: 'no-store' }).catch(() => setLost(true));
    return undefined;
  }, [isLost]);
  return isLost;
}

/** A fault of the page itself, such as a file of an earlier version that is gone. */
export function Broken() {
  const isLost = useLost();
  const reload = (
    <Button variant="filled" size="sm" onClick={() => location.reload()}>
      {texts.states.reload}
    </Button>
  );
  if (isLost) return <DeadEnd icon="alert" title={common.offline} says={texts.states.lost} action={reload} />;
  return <DeadEnd icon="alert" title={common.failed} says={texts.states.broken} action={reload} />;
}
