import { Button } from '@mantine/core';
import type { ReactNode } from 'react';
import { useMay } from '../api/session.ts';
import { ActionButton } from '../forms/actions.tsx';
import type { Offer } from '../offers/offers-data.ts';
import { usePlace } from '../places.tsx';
import { common, formatCount } from '../texts.ts';
import { Page } from '../ui/page.tsx';
import { Badge, Link } from '../ui/values.tsx';
import { paths, useGo } from '../url.ts';
import { texts } from './texts.ts';

const TABS = [
  [paths.catalogue, common.catalogueParts.products],
  [paths.offers, common.catalogueParts.offers],
  [paths.sellers, common.catalogueParts.sellers],
] as const;

/** `create`: the action that adds an item to the list. `count`: shown beside the title of the list, its tab. */
export function CataloguePage(props: {
  readonly create: string;
  readonly count?: ReactNode;
  readonly children: ReactNode;
}) {
  const mayChange = useMay('catalogue');
  const go = useGo();
  const { path } = usePlace();
  return (
    <Page
      title={common.navigation.catalogue}
      actions={
        <>
          {mayChange ? <Button onClick={() => go(paths.imports)}>{texts.catalogue.import}</Button> : null}
          <ActionButton label={props.create} permission="catalogue" />
        </>
      }
    >
      <nav className="tabs" aria-label={common.catalogueParts.label}>
        {TABS.map(([to, label]) => (
          <Link key={to} to={to} isExact={to === paths.catalogue}>
            {label} {path === to ? props.count : null}
          </Link>
        ))}
      </nav>
      {props.children}
    </Page>
  );
}

/** Cells of every list of offers. */
export const OFFER_CELLS = {
  status: ({ status }: Offer) => <OfferStatusBadge status={status} />,
  quantity: ({ quantity }: Offer) => <Units units={quantity} />,
};

export function OfferStatusBadge({ status }: { readonly status: 'active' | 'paused' }) {
  return (
    <Badge look={status === 'active' ? ['good', 'check'] : ['neutral', 'held']}>
      {common.offerStatuses[status]}
    </Badge>
  );
}

export function Units({ units }: { readonly units: number }) {
  if (units === 0) return <Badge look={['bad', 'cross']}>{texts.catalogue.soldOut}</Badge>;
  return formatCount(units);
}
