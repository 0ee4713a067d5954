/** One seller: what it sold and is owed, its claims and refunds, its offers. */
import { useLive } from '../api/queries.ts';
import { useMay } from '../api/session.ts';
import { SellerClaims } from '../claims/claim-parts.tsx';
import type { Column } from '../lists/data-table.tsx';
import { List, useList } from '../lists/list.tsx';
import { Notes } from '../notes/notes.tsx';
import type { ListedOffer } from '../offers/offers-data.ts';
import { paths } from '../paths.ts';
import { SalesTiles } from '../reports/sales-tiles.tsx';
import { texts } from '../texts.ts';
import { Link } from '../ui/link.tsx';
import { Facts, Page, Section } from '../ui/page.tsx';
import { Loaded } from '../ui/states.tsx';
import { ShortId } from '../ui/values.tsx';
import { usePathId } from '../url.ts';
import { OFFER_COLUMNS } from './catalogue-page.tsx';

const words = texts.sellerPage;

const COLUMNS: readonly Column<ListedOffer>[] = [
  { title: texts.common.product, render: ({ productName }) => productName },
  OFFER_COLUMNS.status,
  OFFER_COLUMNS.units,
  OFFER_COLUMNS.price,
];

export function SellerPage() {
  const sellerId = usePathId();
  const result = useLive(['seller', sellerId], (client, signal) =>
    client.getSeller({ params: { sellerId } }, { signal }),
  );
  return (
    <Page
      title={result.data?.name ?? texts.common.seller}
      back={{ to: paths.sellers, label: texts.catalogue.tabs.sellers }}
    >
      <Loaded query={result} missing="seller">
        {() => (
          <>
            <Section title={words.sales}>
              <Sales sellerId={sellerId} />
            </Section>
            <div className="columns">
              <SellerFacts sellerId={sellerId} />
              <Notes subject={`seller:${sellerId}`} />
            </div>
            <Section title={texts.catalogue.tabs.offers}>
              <Offers sellerId={sellerId} />
            </Section>
          </>
        )}
      </Loaded>
    </Page>
  );
}

function Sales({ sellerId }: { readonly sellerId: string }) {
  const readsBooks = useMay('internal');
  const query = useLive(['sales-report', 'seller', sellerId], (client, signal) =>
    client.getSalesReport({ query: { of: 'seller', thing: sellerId } }, { signal }),
  );
  return (
    <Loaded query={query}>
      {(report) => (
        <>
          <SalesTiles report={report} />
          <p className="hint">
            {words.owed(report.from, report.to)}{' '}
            <Link to={paths.reports} search={{ of: 'seller', thing: sellerId }}>
              {words.showReport}
            </Link>
            {readsBooks && (
              <>
                {' · '}
                <Link to={paths.finance} search={{ tab: 'sellers' }}>
                  {texts.finance.tabs.sellers}
                </Link>
              </>
            )}
          </p>
        </>
      )}
    </Loaded>
  );
}

function SellerFacts({ sellerId }: { readonly sellerId: string }) {
  return (
    <Section title={texts.navigation.claims}>
      <Facts
        facts={{
          [texts.claims.rateTitle]: <SellerClaims sellerId={sellerId} />,
          [texts.navigation.claims]: (
            <Link to={paths.claims} search={{ sellerId, status: 'all' }}>
              {texts.claims.showAll}
            </Link>
          ),
          [texts.navigation.orders]: (
            <Link to={paths.orders} search={{ query: sellerId }}>
              {texts.catalogue.showOrders}
            </Link>
          ),
          [texts.catalogue.sellerId]: <ShortId id={sellerId} what={texts.catalogue.sellerId} />,
        }}
      />
    </Section>
  );
}

function Offers({ sellerId }: { readonly sellerId: string }) {
  const list = useList('listOffers', { query: { sellerId } });
  return (
    <>
      <List
        list={list}
        label={texts.catalogue.tabs.offers}
        columns={COLUMNS}
        rowPath={({ id }) => paths.offer(id)}
        icon="catalogue"
        none={words.noOffers}
      />
      <p className="more">
        <Link to={paths.offers} search={{ sellerId }}>
          {words.changeOffers}
        </Link>
      </p>
    </>
  );
}
