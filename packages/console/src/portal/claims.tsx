import { Box, Group } from '@mantine/core';
import { type Answer, useRead } from '../api/queries.ts';
import { useMay } from '../api/session.ts';
import { Actions } from '../forms/actions.tsx';
import { toColumns } from '../lists/columns.tsx';
import { List, useList } from '../lists/list.tsx';
import { Operate } from '../operate/operate.tsx';
import { common } from '../texts.ts';
import { Facts, Page, Section, ThingPage } from '../ui/page.tsx';
import { Badge, type Look, OrderLink, ShortId, Time } from '../ui/values.tsx';
import { paths, usePathId } from '../url.ts';
import { texts } from './texts.ts';

type Claim = Answer<'getClaim'>;

const words = texts.claims;

const LOOKS = {
  open: ['warn', 'clock'],
  decided: ['good', 'check'],
  withdrawn: ['neutral', 'cross'],
} as const satisfies Record<Claim['status'], Look>;

export function ClaimStatus({ status }: Pick<Claim, 'status'>) {
  return <Badge look={LOOKS[status]}>{words.statuses[status]}</Badge>;
}

const COLUMNS = toColumns('listClaims', {
  reason: common.claimReasons,
  keys: ({ keys }) => keys.length,
  status: ({ status }) => <ClaimStatus status={status} />,
});

export function Claims() {
  const list = useList('listClaims', { isFiltered: true, everyMs: 10_000 });
  return (
    <Page title={common.navigation.claims}>
      <List
        list={list}
        isLabelled
        label={common.navigation.claims}
        columns={COLUMNS}
        rowPath={({ id }) => paths.claim(id)}
        icon="claims"
        none={words.empty}
      />
    </Page>
  );
}

export function ClaimPage() {
  const params = { claimId: usePathId() };
  const query = useRead('getClaim', { params }, { everyMs: 10_000 });
  const mayBuy = useMay('buy');
  return (
    <ThingPage
      query={query}
      missing="claim"
      back={{ to: paths.claims, label: common.navigation.claims }}
      title={(claim) => (claim ? common.claimReasons[claim.reason] : words.name(params.claimId))}
      mark={({ status }) => <ClaimStatus status={status} />}
      actions={({ status }) =>
        mayBuy && status === 'open' ? (
          <Actions
            icon="claims"
            actions={[
              {
                label: words.withdraw.submit,
                dialog: <Operate operation="withdrawClaim" params={params} {...words.withdraw} />,
              },
            ]}
          />
        ) : null
      }
    >
      {({ id, orderId, message, createdAt, decidedAt, answer, keys }) => (
        <Box maw={560}>
          <Facts
            title={common.details}
            facts={{
              [common.order]: <OrderLink id={orderId} />,
              [common.created]: <Time at={createdAt} />,
              [words.message]: message,
              [words.decidedAt]: decidedAt === undefined ? null : <Time at={decidedAt} />,
              [words.answer]: answer ?? null,
              [words.id]: <ShortId id={id} shown={id.slice(0, 12)} what={words.id} />,
            }}
          />
          <Section title={texts.keys.title}>
            <ul className="rows">
              {keys.map((key) => (
                <li key={key.id}>
                  <Group gap={12}>
                    <code>{key.masked}</code> {words.outcomes[key.outcome ?? 'none']}
                  </Group>
                </li>
              ))}
            </ul>
          </Section>
        </Box>
      )}
    </ThingPage>
  );
}
