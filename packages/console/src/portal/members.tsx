import type { PortalSession } from '@keyport/contract/accounts/members';
import { Members } from '../account-parts/members.tsx';
import { useSession } from '../api/session.ts';
import { common } from '../texts.ts';
import { Page } from '../ui/page.tsx';

export function MembersPage() {
  const { member } = useSession<PortalSession>();
  return (
    <Page title={common.navigation.members}>
      <Members
        operations={{
          list: 'listMembers',
          create: 'createMember',
          update: 'updateMember',
          invite: 'inviteMember',
          reset: 'resetMemberCredentials',
        }}
        selfId={member.id}
        may
      />
    </Page>
  );
}
