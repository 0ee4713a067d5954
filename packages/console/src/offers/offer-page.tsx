import type { OperatorElement } from '@keyport/sdk-source/admin';
import { Box, Button, Group } from '@mantine/core';
import { useState } from 'react';
import { useRead } from '../api/queries.ts';
import { OfferStatusBadge, Units } from '../catalogue/catalogue-page.tsx';
import { toColumns } from '../lists/columns.tsx';
import { List, useList } from '../lists/list.tsx';
import { common, formatCount } from '../texts.ts';
import { Columns, Empty, Facts, Loaded, Section, ThingPage } from '../ui/page.tsx';
import { Badge, Link, type Look, Money, OrdersLink, ShortId, Time } from '../ui/values.tsx';
import { paths, usePathId, useUrl } from '../url.ts';
import { OfferActions } from './offer-actions.tsx';
import { type Offer, useOffer } from './offers-data.ts';
import { texts } from './texts.ts';

type Key = OperatorElement<'listOfferKeys'>;

const KEY_STATES = ['available', 'reserved', 'sold', 'withdrawn'] as const satisfies readonly Key['state'][];

const STATE_LOOKS = {
  available: ['good', 'check'],
  reserved: ['info', 'clock'],
  sold: ['done', 'key'],
  withdrawn: ['neutral', 'cross'],
} as const satisfies Record<Key['state'], Look>;

export function OfferPage() {
  const offerId = usePathId();
  return (
    <ThingPage
      query={useOffer(offerId)}
      missing="offer"
      back={{ to: paths.offers, label: common.catalogueParts.offers }}
      title={(offer) => offer?.productName ?? common.offer}
      mark={({ status }) => <OfferStatusBadge status={status} />}
    >
      {(offer) => (
        <Columns
          actions={<OfferActions offer={offer} />}
          beside={
            <>
              <OfferFacts offer={offer} />
              <Section title={texts.offers.history}>
                <History offerId={offerId} />
              </Section>
            </>
          }
        >
          <Section title={texts.offers.keys}>
            <KeyCounts offer={offer} />
            <Keys offerId={offerId} />
          </Section>
        </Columns>
      )}
    </ThingPage>
  );
}

function OfferFacts({ offer }: { readonly offer: Offer }) {
  const { id, sellerId } = offer;
  return (
    <Facts
      title={common.details}
      facts={{
        [common.price]: <Money amount={offer.price} />,
        [texts.offers.available]: <Units units={offer.quantity} />,
        [common.product]: <Link to={paths.product(offer.productId)}>{offer.productName}</Link>,
        [common.seller]: <Link to={paths.seller(sellerId)}>{offer.sellerName}</Link>,
        [common.navigation.orders]: <OrdersLink query={id} />,
        [texts.offers.offerId]: <ShortId id={id} what={texts.offers.offerId} />,
      }}
    />
  );
}

/** Each count links to the keys with that status. */
function KeyCounts({ offer }: { readonly offer: Offer }) {
  return (
    <Group component="ul" gap="4px 20px" mb={12} aria-label={texts.offers.counts}>
      {KEY_STATES.map((state) => (
        <li key={state}>
          <Link to={paths.offer(offer.id)} search={{ state }}>
            {common.keyStates[state]} <strong>{formatCount(offer.units[state])}</strong>
          </Link>
        </li>
      ))}
    </Group>
  );
}

const KEY_COLUMNS = toColumns('listOfferKeys', {
  state: ({ state }) => <Badge look={STATE_LOOKS[state]}>{common.keyStates[state]}</Badge>,
  kind: texts.offers.kinds,
});

function Keys({ offerId }: { readonly offerId: string }) {
  const { state } = useUrl().search;
  const list = useList('listOfferKeys', {
    params: { offerId },
    isFiltered: true,
    query: { sort: '-id' },
    limit: 20,
  });
  const none = state === undefined ? texts.offers.noKeys : texts.offers.noKeysLike;
  return (
    <List
      list={list}
      label={texts.offers.keys}
      columns={KEY_COLUMNS}
      icon="key"
      none={none}
      empty={<Empty icon="key">{list.pager.older === undefined ? none : common.goOn}</Empty>}
    />
  );
}

const HISTORY_STEP = 50;
const HISTORY_MAX = 1000;

function History({ offerId }: { readonly offerId: string }) {
  const [limit, setLimit] = useState(HISTORY_STEP);
  const query = useRead('listOfferHistory', { params: { offerId }, query: { limit } });
  return (
    <Loaded query={query} rows={3}>
      {({ data, meta }) => (
        <>
          {/* biome-ignore lint/a11y/noNoninteractiveTabindex: the keyboard scrolls it */}
          <ol className="rows" aria-label={texts.offers.history} tabIndex={0}>
            {data.map(({ at, price, status }) => (
              <li key={at}>
                <span className="grow">
                  <Time at={at} />
                </span>
                <OfferStatusBadge status={status} />
                <Money amount={price} />
              </li>
            ))}
          </ol>
          {meta.hasMore && limit < HISTORY_MAX ? (
            <Box mt={12}>
              <Button onClick={() => setLimit(HISTORY_MAX)}>{common.older}</Button>
            </Box>
          ) : null}
        </>
      )}
    </Loaded>
  );
}
