import { Box } from '@mantine/core';
import { useMay, useSession } from '../api/session.ts';
import { useSignInMethods } from '../api/sign-in-methods.ts';
import { Actions } from '../forms/actions.tsx';
import { EditOperator } from '../system/operator-dialogs.tsx';
import { common } from '../texts.ts';
import { Hint } from '../ui/hint.tsx';
import { Facts, Page, Section } from '../ui/page.tsx';
import { Display } from './display.tsx';
import { NotificationChoices } from './notifications.tsx';
import { SignInWays } from './sign-in-ways.tsx';
import { texts } from './texts.ts';

export function Profile() {
  const { operator } = useSession();
  const mayEdit = useMay('administer');
  const methods = useSignInMethods();
  return (
    <Page
      title={common.profile}
      actions={
        mayEdit ? (
          <Actions
            icon="person"
            actions={[
              {
                label: common.edit,
                dialog: <EditOperator person={{ ...operator, status: 'active' }} isSelf />,
              },
            ]}
          />
        ) : null
      }
    >
      <Box maw={560}>
        <Section title={operator.name}>
          <Facts
            facts={{
              [common.email]: operator.email,
              [common.role]: common.roles[operator.role],
            }}
          />
          {mayEdit ? null : <Hint>{texts.profile.change}</Hint>}
        </Section>
        {methods?.password === false ? (
          <Hint>{texts.profile.ssoOnly(methods.oidc?.name ?? '')}</Hint>
        ) : (
          <SignInWays />
        )}
        <Display />
        <Section title={common.notifications}>
          <NotificationChoices />
        </Section>
      </Box>
    </Page>
  );
}
