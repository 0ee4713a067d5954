/** One offer: what it is, its keys by state, the prices that it has had. */
import type { OperatorElement } from '@keyport/sdk/admin';
import { Button } from '@mantine/core';
import { useParams } from '@tanstack/react-router';
import { useState } from 'react';
import { useLive } from '../api/queries.ts';
import { paths } from '../paths.ts';
import { LOCALE, texts } from '../texts.ts';
import { type Column, DataTable } from '../ui/data-table.tsx';
import { ChoiceFilter, FilterBar } from '../ui/filters.tsx';
import { Link } from '../ui/link.tsx';
import { Facts, Page, Section } from '../ui/page.tsx';
import { Empty, Failure, Loading } from '../ui/states.tsx';
import { Badge, CopyButton, Money, OrderId, Time, type Tone } from '../ui/values.tsx';
import { usePager, useUrl } from '../url.ts';
import { OfferStatusBadge, Units } from './catalogue-page.tsx';
import { OfferActions } from './offer-actions.tsx';
import { type Offer, useOffer } from './offer-data.ts';
import './catalogue.css';

type Key = OperatorElement<'listOfferKeys'>;

const KEY_STATES = ['available', 'reserved', 'sold', 'withdrawn'] as const satisfies readonly Key['state'][];

const STATE_LOOKS = {
  available: ['good', 'check'],
  reserved: ['info', 'clock'],
  sold: ['done', 'key'],
  withdrawn: ['neutral', 'cross'],
} as const satisfies Record<Key['state'], readonly [Tone, string]>;

export function OfferPage() {
  const { offerId = '' }: { offerId?: string } = useParams({ strict: false });
  const result = useOffer(offerId);
  const offer = result.data;
  return (
    <Page
      title={offer?.productName ?? texts.catalogue.offer}
      back={{ to: paths.offers, label: texts.catalogue.tabs.offers }}
      heading={
        <>
          {offer?.productName ?? texts.catalogue.offer}
          {offer ? <OfferStatusBadge status={offer.status} /> : null}
        </>
      }
      actions={offer ? <OfferActions offer={offer} /> : null}
    >
      {offer === undefined && result.error === null ? <Loading /> : null}
      {offer === undefined && result.error !== null ? (
        <Failure error={result.error} retry={() => void result.refetch()} />
      ) : null}
      {offer === null ? <Empty icon="search">{texts.states.notFound('offer')}</Empty> : null}
      {offer ? (
        <>
          <OfferFacts offer={offer} />
          <div className="columns wide">
            <Section title={texts.catalogue.keys}>
              <KeyCounts offer={offer} />
              <Keys offerId={offerId} />
            </Section>
            <Section title={texts.catalogue.history}>
              <History offerId={offerId} />
            </Section>
          </div>
        </>
      ) : null}
    </Page>
  );
}

function OfferFacts({ offer }: { readonly offer: Offer }) {
  const words = texts.catalogue;
  return (
    <div className="columns">
      <Facts
        facts={[
          [words.price, <Money key="price" amount={offer.price} />],
          [words.available, <Units key="units" units={offer.quantity} />],
          [
            words.orders,
            <Link key="orders" to={paths.orders} search={{ query: offer.id }}>
              {words.showOrders}
            </Link>,
          ],
        ]}
      />
      <Facts
        facts={[
          [
            words.product,
            <Link key="product" to={paths.product(offer.productId)}>
              {offer.productName}
            </Link>,
          ],
          [
            words.seller,
            <Link key="seller" to={paths.offers} search={{ sellerId: offer.sellerId }}>
              {offer.sellerName}
            </Link>,
          ],
          [
            words.offerId,
            <span key="id" className="short-id">
              <code className="whole-id">{offer.id}</code>
              <CopyButton text={offer.id} what={words.offerId} />
            </span>,
          ],
        ]}
      />
    </div>
  );
}

/** Each leads to the keys in that state. */
function KeyCounts({ offer }: { readonly offer: Offer }) {
  const words = texts.catalogue;
  return (
    <ul className="key-counts" aria-label={words.counts}>
      {KEY_STATES.map((state) => (
        <li key={state}>
          <Link to={paths.offer(offer.id)} search={{ state }}>
            {words.states[state]} <strong>{offer.units[state].toLocaleString(LOCALE)}</strong>
          </Link>
        </li>
      ))}
    </ul>
  );
}

const KEY_COLUMNS: readonly Column<Key>[] = [
  { title: texts.catalogue.key, render: ({ maskedCode }) => <code>{maskedCode}</code> },
  {
    title: texts.catalogue.state,
    render: ({ state }) => (
      <Badge tone={STATE_LOOKS[state][0]} icon={STATE_LOOKS[state][1]}>
        {texts.catalogue.states[state]}
      </Badge>
    ),
  },
  { title: texts.catalogue.kind, render: ({ kind }) => texts.catalogue.kinds[kind], isMinor: true },
  {
    title: texts.catalogue.order,
    render: ({ orderId }) =>
      orderId === null ? null : (
        <Link to={paths.order(orderId)}>
          <OrderId id={orderId} />
        </Link>
      ),
    isRight: true,
  },
];

function Keys({ offerId }: { readonly offerId: string }) {
  const { search } = useUrl();
  const query = { state: search['state'], cursor: search['cursor'], limit: 20, sort: '-id' };
  const result = useLive(['keys', offerId, query], (client, signal) =>
    client.listOfferKeys({ params: { offerId }, query: query as never }, { signal }),
  );
  const pager = usePager(result.data?.meta);
  return (
    <>
      <FilterBar names={['state']}>
        <ChoiceFilter name="state" label={texts.catalogue.state} choices={texts.catalogue.states} />
      </FilterBar>
      <DataTable
        label={texts.catalogue.keys}
        columns={KEY_COLUMNS}
        query={result}
        rows={result.data?.data}
        rowKey={({ id }) => id}
        pager={pager}
        empty={
          <Empty icon="key">
            {search['state'] === undefined
              ? texts.catalogue.noKeys
              : pager.older === undefined
                ? texts.catalogue.noKeysLike
                : texts.table.goOn}
          </Empty>
        }
      />
    </>
  );
}

const HISTORY_STEP = 50;
const HISTORY_MAX = 1000;

function History({ offerId }: { readonly offerId: string }) {
  const [limit, setLimit] = useState(HISTORY_STEP);
  const { data, error, refetch } = useLive(['offer-history', offerId, limit], (client, signal) =>
    client.listOfferHistory({ params: { offerId }, query: { limit } }, { signal }),
  );
  if (data === undefined)
    return error === null ? <Loading rows={3} /> : <Failure error={error} retry={() => void refetch()} />;
  return (
    <>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, also by keyboard */}
      <ol className="prices" aria-label={texts.catalogue.history} tabIndex={0}>
        {data.data.map(({ at, price, status }) => (
          <li key={at}>
            <Time at={at} />
            <OfferStatusBadge status={status} />
            <Money amount={price} />
          </li>
        ))}
      </ol>
      {data.meta.hasMore && limit < HISTORY_MAX ? (
        <div className="below">
          <Button size="xs" variant="default" onClick={() => setLimit(HISTORY_MAX)}>
            {texts.table.older}
          </Button>
        </div>
      ) : null}
    </>
  );
}
