import { Group, SimpleGrid } from '@mantine/core';
import { useRead } from '../api/queries.ts';
import { useWaitingApprovals, WaitingApprovals } from '../approvals/approval-parts.tsx';
import { common } from '../texts.ts';
import { Facts, type FactsOf, Loaded, Page, Section } from '../ui/page.tsx';
import { CopyButton, Isolated, Link, OrderLink, Time } from '../ui/values.tsx';
import { paths, usePathId } from '../url.ts';
import { type Claim, ClaimStatus, SellerClaims } from './claim-parts.tsx';
import { DecideButton } from './decide-dialog.tsx';
import { texts } from './texts.ts';

export function ClaimPage() {
  const claimId = usePathId();
  const query = useRead(
    'getAnyClaim',
    { params: { claimId } },
    { everyMs: (claim) => (claim === undefined || claim.status === 'open' ? 10_000 : undefined) },
  );
  const claim = query.data;
  return (
    <Page
      title={texts.title(claimId)}
      back={{ to: paths.claims, label: common.navigation.claims }}
      heading={
        claim === undefined ? undefined : (
          <>
            {common.claimReasons[claim.reason]} <ClaimStatus status={claim.status} />
          </>
        )
      }
      actions={claim === undefined ? null : <DecideButton claim={claim} />}
    >
      <Loaded query={query} missing="claim">
        {(shown) => <Summary claim={shown} />}
      </Loaded>
    </Page>
  );
}

function Summary({ claim }: { readonly claim: Claim }) {
  return (
    <div>
      <WaitingApprovals approvals={useWaitingApprovals({ orderId: claim.orderId })} />
      <SimpleGrid minColWidth={260}>
        <Facts title={texts.report} facts={toReport(claim)} />
        <Facts title={common.seller} facts={toSeller(claim)} />
      </SimpleGrid>
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
    </div>
  );
}

function toReport(claim: Claim): FactsOf {
  const { id, orderId, accountId, accountName, message, createdAt, decidedAt, answer } = claim;
  return {
    [texts.id]: (
      <>
        <code>{id.slice(0, 12)}</code> <CopyButton text={id} what={texts.id} />
      </>
    ),
    [texts.message]: message,
    [common.account]: <Link to={paths.account(accountId)}>{accountName}</Link>,
    [common.order]: <OrderLink id={orderId} />,
    [common.created]: <Time at={createdAt} />,
    [texts.decidedAt]: decidedAt === undefined ? null : <Time at={decidedAt} />,
    [texts.answer]: answer ?? null,
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
