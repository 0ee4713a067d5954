import { useRead } from '../api/queries.ts';
import { Assignee } from '../notes/assignee.tsx';
import { texts } from '../texts.ts';
import { Facts, type FactsOf, Loaded, Page, Section } from '../ui/page.tsx';
import { CopyButton, Link, OrderLink, Time } from '../ui/values.tsx';
import { paths, usePathId } from '../url.ts';
import { type Claim, ClaimStatus, SellerClaims } from './claim-parts.tsx';
import { DecideButton } from './decide-dialog.tsx';

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
      title={`Claim ${claimId.slice(0, 12)}`}
      back={{ to: paths.claims, label: 'Claims' }}
      heading={
        claim === undefined ? undefined : (
          <>
            {texts.claims.reasons[claim.reason]} <ClaimStatus status={claim.status} />
          </>
        )
      }
      actions={
        claim === undefined ? null : (
          <>
            {claim.status === 'open' ? <Assignee kind="claim" of={claim} /> : null}
            <DecideButton claim={claim} />
          </>
        )
      }
    >
      <Loaded query={query} missing="claim">
        {(shown) => <Summary claim={shown} />}
      </Loaded>
    </Page>
  );
}

function Summary({ claim }: { readonly claim: Claim }) {
  return (
    <div className="order">
      <div className="columns">
        <Facts title="Report" facts={reportOf(claim)} />
        <Facts title="Seller" facts={sellerOf(claim)} />
      </div>
      <Section title="Keys">
        <ul className="items">
          {claim.keys.map((key) => (
            <li key={key.id}>
              <div className="item-head">
                <code>{key.masked}</code>
                <span>{texts.claims.outcomes[key.outcome ?? 'none']}</span>
              </div>
              <KeyLife claimedKey={key} />
            </li>
          ))}
        </ul>
      </Section>
    </div>
  );
}

function reportOf(claim: Claim): FactsOf {
  const { id, orderId, accountId, accountName, message, createdAt, decidedAt, answer } = claim;
  return {
    'Claim id': (
      <>
        <code>{id.slice(0, 12)}</code> <CopyButton text={id} what="Claim id" />
      </>
    ),
    'Message of the reseller': message,
    Account: <Link to={paths.account(accountId)}>{accountName}</Link>,
    Order: <OrderLink id={orderId} />,
    Created: <Time at={createdAt} />,
    Decided: decidedAt === undefined ? null : <Time at={decidedAt} />,
    'Text for the reseller': answer ?? null,
  };
}

function sellerOf({ sellerId, sellerName, productId, productName, available }: Claim): FactsOf {
  return {
    Seller: <Link to={paths.seller(sellerId)}>{sellerName}</Link>,
    Product: <Link to={paths.product(productId)}>{productName}</Link>,
    'Keys to replace with': String(available),
    'Claims in 30 days': <SellerClaims sellerId={sellerId} />,
  };
}

function KeyLife({ claimedKey: { deliveredAt, history } }: { readonly claimedKey: Claim['keys'][number] }) {
  return (
    <ul className="order-keys">
      <li>
        <span className="grow">Delivered</span>
        <Time at={deliveredAt} />
      </li>
      {history.map(({ at, clientId, name, address }) => (
        <li key={at}>
          <span className="grow">
            Read by {name ?? clientId}
            {address === null ? '' : ` from ${address}`}
          </span>
          <Time at={at} />
        </li>
      ))}
      {history.length === 0 ? <li>not read</li> : null}
    </ul>
  );
}
