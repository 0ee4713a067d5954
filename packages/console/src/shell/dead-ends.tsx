/** Pages that are none. */
import { Button } from '@mantine/core';
import { useSession } from '../api/session.ts';
import { paths } from '../paths.ts';
import { texts } from '../texts.ts';
import { Link } from '../ui/link.tsx';
import { Page } from '../ui/page.tsx';
import { Empty } from '../ui/states.tsx';

export function NoPage() {
  return (
    <Page title={texts.states.noPage}>
      <Empty icon="search" action={<Link to={paths.home}>{texts.states.home}</Link>}>
        {texts.states.noPage}
      </Empty>
    </Page>
  );
}

export function Forbidden() {
  const { operator } = useSession();
  const message = texts.states.forbidden(operator.role);
  return (
    <Page title={message}>
      <Empty icon="lock" action={<Link to={paths.home}>{texts.states.home}</Link>}>
        {message}
      </Empty>
    </Page>
  );
}

/** A fault of the page itself, such as a file of an earlier version that is gone. */
export function Broken() {
  return (
    <Page title={texts.states.failed}>
      <Empty icon="alert" action={<Button onClick={() => location.reload()}>{texts.states.reload}</Button>}>
        {texts.states.broken}
      </Empty>
    </Page>
  );
}
