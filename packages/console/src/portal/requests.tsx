import type { PortalSession } from '@keyport/contract/accounts/members';
import { Requests } from '../account-parts/requests.tsx';
import { useRead } from '../api/queries.ts';
import { useMay, useSession } from '../api/session.ts';
import { common } from '../texts.ts';
import { Page } from '../ui/page.tsx';

const MEMBERS_MAX = 100;

/** The other members are read by owners only. */
export function RequestLog() {
  const { member } = useSession<PortalSession>();
  const options = { enabled: useMay('members') };
  const { data } = useRead('listMembers', { query: { itemsPerPage: MEMBERS_MAX } }, options);
  const names = new Map([member, ...(data?.data ?? [])].map(({ id, name }) => [id, name]));
  return (
    <Page title={common.navigation.requests}>
      <Requests name="listOwnRequests" names={names} />
    </Page>
  );
}
