/** Items that need attention: each line has its amount and age, and leads there. */
import type { OperatorAnswer } from '@keyport/sdk/admin';
import { Fragment, type ReactNode } from 'react';
import { useSession } from '../api/session.ts';
import { useSignInMethods } from '../api/sign-in-methods.ts';
import { paths } from '../paths.ts';
import type { Search } from '../places.tsx';
import { texts } from '../texts.ts';
import { Icon, type IconName } from '../ui/icons.tsx';
import { Link } from '../ui/link.tsx';
import { Empty } from '../ui/states.tsx';
import { formatMoney, type Tone } from '../ui/values.tsx';

type Attention = OperatorAnswer<'getAttention'>;

const NAMED_MAX = 3;

type Line = {
  readonly key: string;
  readonly tone: Tone;
  readonly icon: IconName;
  readonly what: string;
  readonly more: ReactNode;
  readonly to: string;
  readonly search?: Search;
  readonly action: string;
};

export function AttentionList({ attention }: { readonly attention: Attention }) {
  const lines = [
    ...brokenRules(attention),
    ...assigned(attention),
    ...waiting(attention),
    ...trade(attention),
    ...useOwnLines(),
  ];
  if (lines.length === 0) return <Empty icon="check">{texts.attention.nothing}</Empty>;
  return (
    <ul className="attention">
      {lines.map(({ key, tone, icon, what, more, to, search, action }) => (
        <li key={key}>
          <span className={`mark tone-${tone}`}>
            <Icon name={icon} />
          </span>
          <span className="what">{what}</span>
          <span className="more">{more}</span>
          <Link to={to} label={`${action}: ${what}`} {...(search === undefined ? {} : { search })}>
            {action}
          </Link>
        </li>
      ))}
    </ul>
  );
}

/** An operator who signed in by a link and has no other way is locked out when the session ends. */
function useOwnLines(): Line[] {
  const { hasPassword, passkeys } = useSession();
  const methods = useSignInMethods();
  if (hasPassword || passkeys > 0 || methods === undefined || methods.oidc !== null) return [];
  return [
    {
      key: 'password',
      tone: 'info',
      icon: 'key',
      what: texts.attention.noPassword,
      more: texts.attention.linkWorksOnce,
      to: paths.profile,
      action: texts.attention.setPassword,
    },
  ];
}

function brokenRules({ invariants }: Attention): Line[] {
  return invariants.map(({ id, title, broken, brokenSince }) => ({
    key: id,
    tone: 'bad',
    icon: 'alert',
    what: texts.attention.rule(id, broken),
    more: brokenSince === null ? title : `${title} · ${texts.attention.since(ageOf(brokenSince))}`,
    to: paths.system,
    action: texts.attention.open,
  }));
}

function assigned({ assigned: { heldOrders, claims, approvals } }: Attention): Line[] {
  const search = { assignee: 'me' };
  const things = [
    { count: heldOrders, name: texts.attention.held(heldOrders), to: paths.held, search },
    { count: claims, name: texts.attention.claims(claims), to: paths.claims, search },
    { count: approvals, name: texts.attention.approvals(approvals), to: paths.approvals, search },
  ].filter(({ count }) => count > 0);
  const [first] = things;
  if (first === undefined) return [];
  return [
    {
      key: 'assigned',
      tone: 'info',
      icon: 'person',
      what: texts.attention.assigned,
      more: <Named things={things} />,
      to: first.to,
      search,
      action: texts.attention.start,
    },
  ];
}

function waiting(attention: Attention): Line[] {
  const { heldOrders, openClaims, openPayments, openRefunds, approvals } = attention;
  const lines = [
    ['held', heldOrders, 'held', paths.held, texts.attention.start],
    ['claims', openClaims, 'claims', paths.claims, texts.attention.start],
    ['approvals', approvals, 'approvals', paths.approvals, texts.attention.review],
    ['payments', openPayments, 'payments', paths.payments, texts.attention.open],
    ['refunds', openRefunds, 'undo', paths.payments, texts.attention.open],
  ] as const;
  return lines.flatMap(([key, { count, oldestAt, ...sum }, icon, to, action]): Line[] => {
    if (count === 0) return [];
    const since = oldestAt === null ? [] : [texts.attention.oldest(ageOf(oldestAt))];
    const more = [...since, ...('amount' in sum ? [formatMoney(sum.amount)] : [])].join(', ');
    const search = key === 'refunds' ? { kind: 'refund' } : undefined;
    return [
      {
        key,
        tone: 'warn',
        icon,
        what: texts.attention[key](count),
        more,
        to,
        action,
        ...(search && { search }),
      },
    ];
  });
}

function trade({ stock, endpoints }: Attention): Line[] {
  const low = stock.soldOut + stock.low;
  const stockLine: Line = {
    key: 'stock',
    tone: 'warn',
    icon: 'catalogue',
    what: texts.attention.stock(stock.soldOut, stock.low),
    more: (
      <Named
        things={stock.offers.map(({ offerId, productName }) => ({
          name: productName,
          to: paths.offer(offerId),
        }))}
      />
    ),
    to: paths.offers,
    search: { runningOut: 'true' },
    action: texts.attention.open,
  };
  const broken = endpoints.failing + endpoints.disabled;
  const endpointLine: Line = {
    key: 'endpoints',
    tone: 'bad',
    icon: 'webhooks',
    what: texts.attention.endpoints(endpoints.failing, endpoints.disabled),
    more: (
      <Named
        things={endpoints.items.map(({ id, accountId, accountName }) => ({
          name: accountName,
          to: paths.account(accountId),
          search: { tab: 'webhooks', endpoint: id },
        }))}
      />
    ),
    to: paths.webhooks,
    // No filter shows both kinds.
    ...(endpoints.disabled === 0
      ? { search: { state: 'failing' } }
      : endpoints.failing === 0
        ? { search: { state: 'disabled' } }
        : {}),
    action: texts.attention.open,
  };
  return [...(low > 0 ? [stockLine] : []), ...(broken > 0 ? [endpointLine] : [])];
}

/** The most urgent ones. */
function Named({
  things,
}: {
  readonly things: readonly { readonly name: string; readonly to: string; readonly search?: Search }[];
}) {
  return things.slice(0, NAMED_MAX).map(({ name, to, search }, place) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: an account may have several
    <Fragment key={place}>
      {place === 0 ? '' : ', '}
      <Link to={to} {...(search === undefined ? {} : { search })}>
        {name}
      </Link>
    </Fragment>
  ));
}

/** Such as `3 h`. */
function ageOf(at: string): string {
  const minutes = Math.max(0, Math.floor((Date.now() - Date.parse(at)) / 60_000));
  if (minutes < 60) return texts.age.minutes(minutes);
  const hours = Math.floor(minutes / 60);
  return hours < 48 ? texts.age.hours(hours) : texts.age.days(Math.floor(hours / 24));
}
