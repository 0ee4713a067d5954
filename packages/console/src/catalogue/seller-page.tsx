import { Button } from '@mantine/core';
import { useRead } from '../api/queries.ts';
import { useMay } from '../api/session.ts';
import { SellerClaims } from '../claims/claim-parts.tsx';
import { toColumns } from '../lists/columns.tsx';
import { List, useList } from '../lists/list.tsx';
import { Timeline } from '../notes/timeline.tsx';
import { SalesTiles } from '../reports/sales-tiles.tsx';
import { common } from '../texts.ts';
import { Hint } from '../ui/hint.tsx';
import { Columns, Facts, type FactsOf, Loaded, Section, ThingPage } from '../ui/page.tsx';
import { Link, OrdersLink, ShortId } from '../ui/values.tsx';
import { paths, useGo, usePathId } from '../url.ts';
import { OFFER_CELLS } from './catalogue-page.tsx';
import { texts } from './texts.ts';

const words = texts.sellerPage;

const COLUMNS = toColumns('listOffers', OFFER_CELLS, ['productName', 'status', 'quantity', 'price']);

export function SellerPage() {
  const sellerId = usePathId();
  const mayChange = useMay('catalogue');
  const go = useGo();
  return (
    <ThingPage
      query={useRead('getSeller', { params: { sellerId } })}
      missing="seller"
      back={{ to: paths.sellers, label: common.catalogueParts.sellers }}
      title={(seller) => seller?.name ?? common.seller}
      actions={() =>
        mayChange ? (
          <Button onClick={() => go(paths.offers, { sellerId })}>{words.changeOffers}</Button>
        ) : null
      }
    >
      {() => (
        <Columns
          beside={
            <>
              <Facts title={common.details} facts={toFacts(sellerId)} />
              <Timeline subject={`seller:${sellerId}`} />
            </>
          }
        >
          <Section title={words.sales}>
            <Sales sellerId={sellerId} />
          </Section>
          <Section title={common.catalogueParts.offers}>
            <Offers sellerId={sellerId} />
          </Section>
        </Columns>
      )}
    </ThingPage>
  );
}

function Sales({ sellerId }: { readonly sellerId: string }) {
  const query = useRead('getSalesReport', { query: { dimension: 'seller', id: sellerId } });
  return (
    <Loaded query={query}>
      {(report) => (
        <>
          <SalesTiles report={report} />
          <Hint>
            {words.owed(report.from, report.to)}{' '}
            <Link to={paths.reports} search={{ dimension: 'seller', id: sellerId }}>
              {words.showReport}
            </Link>
          </Hint>
        </>
      )}
    </Loaded>
  );
}

function toFacts(sellerId: string): FactsOf {
  return {
    [common.claimRate]: <SellerClaims sellerId={sellerId} />,
    [common.navigation.claims]: (
      <Link to={paths.claims} search={{ sellerId, status: 'all' }}>
        {common.showAllClaims}
      </Link>
    ),
    [common.navigation.orders]: <OrdersLink query={sellerId} />,
    [texts.catalogue.sellerId]: <ShortId id={sellerId} what={texts.catalogue.sellerId} />,
  };
}

function Offers({ sellerId }: { readonly sellerId: string }) {
  const list = useList('listOffers', { query: { sellerId } });
  return (
    <List
      list={list}
      label={common.catalogueParts.offers}
      columns={COLUMNS}
      rowPath={({ id }) => paths.offer(id)}
      icon="catalogue"
      none={words.noOffers}
    />
  );
}
