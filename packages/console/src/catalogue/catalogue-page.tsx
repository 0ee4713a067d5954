/** The shared heading, tabs and values of the catalogue. */
import { Button } from '@mantine/core';
import type { ReactNode } from 'react';
import { useAttention } from '../api/queries.ts';
import { useMay } from '../api/session.ts';
import { FindKeyButton } from '../keys/find-key-button.tsx';
import type { Column } from '../lists/data-table.tsx';
import type { ListedOffer } from '../offers/offers-data.ts';
import { paths } from '../paths.ts';
import { LOCALE, texts } from '../texts.ts';
import { Link } from '../ui/link.tsx';
import { Page } from '../ui/page.tsx';
import { Badge, Money } from '../ui/values.tsx';
import { useGo } from '../url.ts';

export function CataloguePage(props: {
  /** Opens a form for a new one of what is listed. */
  readonly create: { readonly label: string; readonly open: () => void };
  readonly children: ReactNode;
}) {
  const { create, children } = props;
  const mayChange = useMay('catalogue');
  const go = useGo();
  const { tabs } = texts.catalogue;
  return (
    <Page
      title={texts.navigation.catalogue}
      actions={
        <>
          <FindKeyButton />
          {mayChange ? (
            <>
              <Button size="xs" variant="default" onClick={() => go(paths.imports)}>
                {texts.catalogue.import}
              </Button>
              <Button size="xs" onClick={create.open}>
                {create.label}…
              </Button>
            </>
          ) : null}
        </>
      }
    >
      <nav className="tabs" aria-label={tabs.label}>
        <Link to={paths.catalogue} isExact>
          {tabs.products}
        </Link>
        <Link to={paths.offers}>{tabs.offers}</Link>
        <Link to={paths.sellers}>{tabs.sellers}</Link>
      </nav>
      {children}
    </Page>
  );
}

/** Columns of every list of offers. */
export const OFFER_COLUMNS = {
  status: { title: texts.common.status, render: ({ status }) => <OfferStatusBadge status={status} /> },
  units: {
    title: texts.common.units,
    render: ({ quantity }) => <Units units={quantity} />,
    look: 'right',
  },
  price: { title: texts.catalogue.price, render: ({ price }) => <Money amount={price} />, look: 'right' },
} as const satisfies Record<string, Column<ListedOffer>>;

export function OfferStatusBadge({ status }: { readonly status: 'active' | 'paused' }) {
  return (
    <Badge look={status === 'active' ? ['good', 'check'] : ['neutral', 'held']}>
      {texts.catalogue.statuses[status]}
    </Badge>
  );
}

export function Units({ units }: { readonly units: number }) {
  const { data } = useAttention();
  if (units === 0) return <Badge look={['bad', 'cross']}>{texts.catalogue.soldOut}</Badge>;
  // KEYPORT_LOW_STOCK_UNITS, as on Home.
  if (units <= (data?.stock.unitsMax ?? 0))
    return <Badge look={['warn', 'alert']}>{texts.catalogue.low(units)}</Badge>;
  return units.toLocaleString(LOCALE);
}
