import { Requests } from '../account-parts/requests.tsx';
import { common } from '../texts.ts';
import { Page } from '../ui/page.tsx';

export function RequestLog() {
  return (
    <Page title={common.navigation.requests}>
      <Requests name="listOwnRequests" />
    </Page>
  );
}
