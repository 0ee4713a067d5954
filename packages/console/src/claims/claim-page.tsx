import { useRead } from '../api/queries.ts';
import { Assignee } from '../notes/assignee.tsx';
import { paths } from '../paths.ts';
import { texts } from '../texts.ts';
import { Link, OrderLink } from '../ui/link.tsx';
import { Facts, type FactsOf, Page, Section } from '../ui/page.tsx';
import { Loaded } from '../ui/states.tsx';
import { CopyButton, Time } from '../ui/values.tsx';
import { usePathId } from '../url.ts';
import { type Claim, ClaimStatus, SellerClaims } from './claim-parts.tsx';
import { DecideButton } from './decide-dialog.tsx';

const LIVE_MS = 10_000;

export function ClaimPage() {
  const claimId = usePathId();
  const query = useRead(
    'getAnyClaim',
    { params: { claimId } },
    { everyMs: (claim) => (claim === undefined || claim.status === 'open' ? LIVE_MS : undefined) },
  );
  const claim = query.data;
  return (
    <Page
      title={texts.claims.title(claimId)}
      back={{ to: paths.claims, label: texts.navigation.claims }}
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
        <Facts title={texts.claims.report} facts={reportOf(claim)} />
        <Facts title={texts.common.seller} facts={sellerOf(claim)} />
      </div>
      <Section title={texts.claims.keysTitle}>
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
    [texts.claims.id]: (
      <>
        <code>{id.slice(0, 12)}</code> <CopyButton text={id} what={texts.claims.id} />
      </>
    ),
    [texts.claims.message]: message,
    [texts.common.account]: <Link to={paths.account(accountId)}>{accountName}</Link>,
    [texts.common.order]: <OrderLink id={orderId} />,
    [texts.common.created]: <Time at={createdAt} />,
    [texts.claims.decidedAt]: decidedAt === undefined ? null : <Time at={decidedAt} />,
    [texts.claims.answer]: answer ?? null,
  };
}

function sellerOf({ sellerId, sellerName, productId, productName, available }: Claim): FactsOf {
  return {
    [texts.common.seller]: <Link to={paths.seller(sellerId)}>{sellerName}</Link>,
    [texts.common.product]: <Link to={paths.product(productId)}>{productName}</Link>,
    [texts.claims.available]: String(available),
    [texts.claims.rateTitle]: <SellerClaims sellerId={sellerId} />,
  };
}

function KeyLife({ claimedKey: { deliveredAt, history } }: { readonly claimedKey: Claim['keys'][number] }) {
  return (
    <ul className="order-keys">
      <li>
        <span className="grow">{texts.claims.delivered}</span>
        <Time at={deliveredAt} />
      </li>
      {history.map(({ at, clientId, name, address }) => (
        <li key={at}>
          <span className="grow">{texts.claims.readBy(name ?? clientId, address)}</span>
          <Time at={at} />
        </li>
      ))}
      {history.length === 0 ? <li>{texts.orderKeys.notRead}</li> : null}
    </ul>
  );
}
