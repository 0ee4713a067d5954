import type { OperatorAnswer } from '@keyport/sdk-source/admin';
import { Fragment, type ReactNode } from 'react';
import { hasWayIn, useSession } from '../api/session.ts';
import { useSignInMethods } from '../api/sign-in-methods.ts';
import type { Search } from '../places.tsx';
import { common, formatMoney } from '../texts.ts';
import { type Matter, Matters, type Target } from '../ui/matters.tsx';
import { Link, type Look } from '../ui/values.tsx';
import { paths } from '../url.ts';
import { texts } from './texts.ts';

type Attention = OperatorAnswer<'getAttention'>;

const NAMED_MAX = 3;

type Thing = Target & { readonly name: string };
const words = texts.attention;

export function AttentionList({ attention }: { readonly attention: Attention }) {
  const lines = [...brokenRules(attention), ...waiting(attention), ...trade(attention), ...useOwnLines()];
  return <Matters matters={lines} none={words.nothing} />;
}

function toLine(
  key: string,
  look: Look,
  what: string,
  more: ReactNode,
  target: Target,
  action: string = words.open,
): Matter {
  return { key, look, what, more, action, ...target };
}

/** An operator whose only way to sign in is a used link is locked out when the session ends. */
function useOwnLines(): Matter[] {
  const hasWay = hasWayIn(useSession());
  const methods = useSignInMethods();
  if (hasWay || methods === undefined || methods.oidc !== null) return [];
  const profile = { to: paths.profile };
  return [
    toLine('password', ['info', 'key'], words.noPassword, words.linkWorksOnce, profile, words.setPassword),
  ];
}

function brokenRules({ invariants }: Attention): Matter[] {
  return invariants.map(({ id, title, broken, brokenSince }) => {
    const more = brokenSince === null ? title : `${title} · ${words.since(computeAge(brokenSince))}`;
    return toLine(id, ['bad', 'alert'], words.rule(id, broken), more, {
      to: paths.system,
    });
  });
}

function waiting(attention: Attention): Matter[] {
  const { heldOrders, openClaims, openPayments, openRefunds, approvals } = attention;
  const lines = [
    ['held', heldOrders, 'held', { to: paths.held }, words.start],
    ['claims', openClaims, 'claims', { to: paths.claims }, words.start],
    ['approvals', approvals, 'approvals', { to: paths.approvals }, common.review],
    ['payments', openPayments, 'payments', { to: paths.payments }, words.open],
    ['refunds', openRefunds, 'undo', { to: paths.payments, search: { kind: 'refund' } }, words.open],
  ] as const;
  return lines.flatMap(([key, { count, oldestAt, ...sum }, icon, target, action]) => {
    if (count === 0) return [];
    const since = oldestAt === null ? [] : [words.oldest(computeAge(oldestAt))];
    const more = [...since, ...('amount' in sum ? [formatMoney(sum.amount)] : [])].join(', ');
    return [toLine(key, ['warn', icon], words[key](count), more, target, action)];
  });
}

function trade({ stock, endpoints: { failing, disabled, items } }: Attention): Matter[] {
  const offers = stock.offers.map(({ offerId, productName }) => ({
    name: productName,
    to: paths.offer(offerId),
  }));
  const stockLine = toLine(
    'stock',
    ['warn', 'catalogue'],
    words.stock(stock.soldOut, stock.low),
    <Named things={offers} />,
    { to: paths.offers, search: { runningOut: 'true' } },
  );
  const accounts = items.map(({ id, accountId, accountName }) => ({
    name: accountName,
    to: paths.account(accountId),
    search: { tab: 'webhooks', endpoint: id },
  }));
  // No single filter matches both kinds.
  const search: Search = failing * disabled > 0 ? {} : { state: failing > 0 ? 'failing' : 'disabled' };
  const endpointLine = toLine(
    'endpoints',
    ['bad', 'webhooks'],
    words.endpoints(failing, disabled),
    <Named things={accounts} />,
    { to: paths.webhooks, search },
  );
  return [
    ...(stock.soldOut + stock.low > 0 ? [stockLine] : []),
    ...(failing + disabled > 0 ? [endpointLine] : []),
  ];
}

/** Links to the most urgent items. */
function Named({ things }: { readonly things: readonly Thing[] }) {
  return things.slice(0, NAMED_MAX).map(({ name, to, search }, place) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: an account may appear several times
    <Fragment key={place}>
      {place === 0 ? '' : ', '}
      <Link to={to} search={search}>
        {name}
      </Link>
    </Fragment>
  ));
}

/** For example, `3 h`. */
function computeAge(at: string): string {
  const minutes = Math.max(0, Math.floor((Date.now() - Date.parse(at)) / 60_000));
  if (minutes < 60) return texts.age.minutes(minutes);
  const hours = Math.floor(minutes / 60);
  return hours < 48 ? texts.age.hours(hours) : texts.age.days(Math.floor(hours / 24));
}
