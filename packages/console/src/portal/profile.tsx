import type { PortalSession } from '@keyport/contract/accounts/members';
import { Box } from '@mantine/core';
import { texts } from '../account-parts/texts.ts';
import { useSession } from '../api/session.ts';
import { Display } from '../profile/display.tsx';
import { SignInWays } from '../profile/sign-in-ways.tsx';
import { common } from '../texts.ts';
import { Facts, Page, Section } from '../ui/page.tsx';

export function Profile() {
  const { member } = useSession<PortalSession>();
  return (
    <Page title={common.profile}>
      <Box maw={560}>
        <Section title={member.name}>
          <Facts facts={{ [common.email]: member.email, [common.role]: texts.members.roles[member.role] }} />
        </Section>
        <SignInWays />
        <Display />
      </Box>
    </Page>
  );
}
