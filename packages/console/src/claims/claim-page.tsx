import { Group } from '@mantine/core';
import { useRead } from '../api/queries.ts';
import { useWaitingApprovals, WaitingApprovals } from '../approvals/approval-parts.tsx';
import { PageSteps } from '../lists/steps.tsx';
import { common } from '../texts.ts';
import { Columns, Facts, type FactsOf, Loaded, Page, Said, Section } from '../ui/page.tsx';
import { Isolated, Link, OrderLink, ShortId, Time } from '../ui/values.tsx';
import { paths, usePathId } from '../url.ts';
import { type Claim, ClaimStatus, SellerClaims } from './claim-parts.tsx';
import { DecideButton } from './decide-dialog.tsx';
import { texts } from './texts.ts';

const QUEUE_MAX = 200;

export function ClaimPage() {
  const claimId = usePathId();
  const query = useRead(
    'getAnyClaim',
    { params: { claimId } },
    { everyMs: (claim) => (claim === undefined || claim.status === 'open' ? 10_000 : undefined) },
  );
  const claim = query.data;
  const open = { status: 'open', sort: 'createdAt', limit: QUEUE_MAX } as const;
  const queue = useRead('listAllClaims', { query: open }, { everyMs: 15_000 });
  return (
    <Page
      title={texts.title(claimId)}
      back={{ to: paths.claims, label: common.navigation.claims }}
      heading={claim && common.claimReasons[claim.reason]}
      mark={claim && <ClaimStatus status={claim.status} />}
      actions={<PageSteps queue={queue.data?.data} id={claimId} toPath={paths.claim} />}
    >
      <Loaded query={query} missing="claim">
        {(shown) => <Summary claim={shown} />}
      </Loaded>
    </Page>
  );
}

function Summary({ claim }: { readonly claim: Claim }) {
  return (
    <Columns
      actions={<DecideButton claim={claim} />}
      beside={
        <>
          <Facts title={common.details} facts={toDetails(claim)} />
          <Facts title={common.seller} facts={toSeller(claim)} />
        </>
      }
    >
      <WaitingApprovals approvals={useWaitingApprovals({ orderId: claim.orderId })} />
      <Said title={texts.message} text={claim.message} />
      <Said title={texts.answer} text={claim.answer} />
      <Section title={texts.keysTitle}>
        <ul>
          {claim.keys.map((key) => (
            <li key={key.id} className="item">
              <Group justify="space-between" gap={16} wrap="nowrap">
                <code>{key.masked}</code>
                <span>{texts.outcomes[key.outcome ?? 'none']}</span>
              </Group>
              <KeyLife claimedKey={key} />
            </li>
          ))}
        </ul>
      </Section>
    </Columns>
  );
}

function toDetails(claim: Claim): FactsOf {
  const { id, orderId, accountId, accountName, createdAt, decidedAt } = claim;
  return {
    [texts.id]: <ShortId id={id} shown={id.slice(0, 12)} what={texts.id} />,
    [common.account]: <Link to={paths.account(accountId)}>{accountName}</Link>,
    [common.order]: <OrderLink id={orderId} />,
    [common.created]: <Time at={createdAt} />,
    [texts.decidedAt]: decidedAt === undefined ? null : <Time at={decidedAt} />,
  };
}

function toSeller({ sellerId, sellerName, productId, productName, available }: Claim): FactsOf {
  return {
    [common.seller]: <Link to={paths.seller(sellerId)}>{sellerName}</Link>,
    [common.product]: <Link to={paths.product(productId)}>{productName}</Link>,
    [texts.available]: String(available),
    [common.claimRate]: <SellerClaims sellerId={sellerId} />,
  };
}

function KeyLife({ claimedKey: { deliveredAt, history } }: { readonly claimedKey: Claim['keys'][number] }) {
  return (
    <ul className="rows">
      <li>
        <span className="grow">{texts.delivered}</span>
        <Time at={deliveredAt} />
      </li>
      {history.map(({ at, clientId, memberId, name, address }) => (
        <li key={at}>
          <span className="grow">
            {texts.readBy} <Isolated>{name ?? clientId ?? memberId}</Isolated>{' '}
            {address === null ? null : texts.readFrom(address)}
          </span>
          <Time at={at} />
        </li>
      ))}
      {history.length === 0 ? <li>{common.notRead}</li> : null}
    </ul>
  );
}
