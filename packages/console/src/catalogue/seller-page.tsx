import { useRead } from '../api/queries.ts';
import { useMay } from '../api/session.ts';
import { SellerClaims } from '../claims/claim-parts.tsx';
import type { Column } from '../lists/data-table.tsx';
import { List, useList } from '../lists/list.tsx';
import { Notes } from '../notes/notes.tsx';
import type { Offer } from '../offers/offers-data.ts';
import { SalesTiles } from '../reports/sales-tiles.tsx';
import { Facts, type FactsOf, Loaded, Section, ThingPage } from '../ui/page.tsx';
import { Link, ShortId } from '../ui/values.tsx';
import { paths, usePathId } from '../url.ts';
import { OFFER_COLUMNS } from './catalogue-page.tsx';

const COLUMNS: readonly Column<Offer>[] = [
  { title: 'Product', render: ({ productName }) => productName },
  OFFER_COLUMNS.status,
  OFFER_COLUMNS.units,
  OFFER_COLUMNS.price,
];

export function SellerPage() {
  const sellerId = usePathId();
  return (
    <ThingPage
      query={useRead('getSeller', { params: { sellerId } })}
      missing="seller"
      back={{ to: paths.sellers, label: 'Sellers' }}
      title={(seller) => seller?.name ?? 'Seller'}
    >
      {() => (
        <>
          <Section title="Sales in 30 days">
            <Sales sellerId={sellerId} />
          </Section>
          <div className="columns">
            <Facts title="Claims" facts={claimsOf(sellerId)} />
            <Notes subject={`seller:${sellerId}`} />
          </div>
          <Section title="Offers">
            <Offers sellerId={sellerId} />
          </Section>
        </>
      )}
    </ThingPage>
  );
}

function Sales({ sellerId }: { readonly sellerId: string }) {
  const readsBooks = useMay('internal');
  const query = useRead('getSalesReport', { query: { of: 'seller', thing: sellerId } });
  return (
    <Loaded query={query}>
      {(report) => (
        <>
          <SalesTiles report={report} />
          <p className="hint">
            From {report.from} to {report.to}, UTC. The net is what the seller is owed for these days.{' '}
            <Link to={paths.reports} search={{ of: 'seller', thing: sellerId }}>
              Show by day
            </Link>
            {readsBooks && (
              <>
                {' · '}
                <Link to={paths.finance} search={{ tab: 'sellers' }}>
                  Owed to sellers
                </Link>
              </>
            )}
          </p>
        </>
      )}
    </Loaded>
  );
}

function claimsOf(sellerId: string): FactsOf {
  return {
    'Claims in 30 days': <SellerClaims sellerId={sellerId} />,
    Claims: (
      <Link to={paths.claims} search={{ sellerId, status: 'all' }}>
        Show all claims
      </Link>
    ),
    Orders: (
      <Link to={paths.orders} search={{ query: sellerId }}>
        Show orders
      </Link>
    ),
    'Seller id': <ShortId id={sellerId} what="Seller id" />,
  };
}

function Offers({ sellerId }: { readonly sellerId: string }) {
  const list = useList('listOffers', { query: { sellerId } });
  return (
    <>
      <List
        list={list}
        label="Offers"
        columns={COLUMNS}
        rowPath={({ id }) => paths.offer(id)}
        icon="catalogue"
        none="This seller has no offers."
      />
      <p className="more">
        <Link to={paths.offers} search={{ sellerId }}>
          Filter or change these offers
        </Link>
      </p>
    </>
  );
}
