import type { OperatorAnswer } from '@keyport/sdk-source/admin';
import { Text } from '@mantine/core';
import { useRead } from '../api/queries.ts';
import { common } from '../texts.ts';
import { Hint } from '../ui/hint.tsx';
import { Section } from '../ui/page.tsx';
import { Badge, Link, type Look, Time } from '../ui/values.tsx';
import { paths } from '../url.ts';
import { texts } from './texts.ts';

export type Claim = OperatorAnswer<'getAnyClaim'>;

const LOOKS = {
  open: ['warn', 'clock'],
  decided: ['good', 'check'],
  withdrawn: ['neutral', 'cross'],
} as const satisfies Record<Claim['status'], Look>;

export function ClaimStatus({ status }: Pick<Claim, 'status'>) {
  return <Badge look={LOOKS[status]}>{texts.statuses[status]}</Badge>;
}

type Subject = { readonly orderId: string } | { readonly accountId: string };

const LATEST = 5;

/** The latest claims of an order or an account; empty if there are none. */
export function LatestClaims({ subject }: { readonly subject: Subject }) {
  const query = { ...subject, limit: LATEST };
  const { data } = useRead('listAllClaims', { query }, { everyMs: 15_000 });
  if (data === undefined || data.data.length === 0) return null;
  return (
    <Section title={common.navigation.claims}>
      <ul className="rows">
        {data.data.map(({ id, status, reason, createdAt, keys }) => (
          <li key={id}>
            <Link to={paths.claim(id)}>{common.claimReasons[reason]}</Link>
            <span className="grow">
              {texts.keys(keys.length)} · <Time at={createdAt} />
            </span>
            <ClaimStatus status={status} />
          </li>
        ))}
      </ul>
      <Text component="div" mt={8}>
        <Link to={paths.claims} search={{ ...subject, status: 'all' }}>
          {common.showAllClaims}
        </Link>
      </Text>
    </Section>
  );
}

/** Claims of the last 30 days by reason, against the units that were sold. */
export function SellerClaims({ sellerId }: { readonly sellerId: string }) {
  const { data } = useRead('getClaimsRate', { params: { sellerId } });
  // This may be the text of a link, which must not be empty.
  if (data === undefined) return '…';
  const reasons = Object.entries(data.claims).filter(([, count]) => count > 0);
  const total = reasons.reduce((sum, [, count]) => sum + count, 0);
  const words = common.claimReasons as Readonly<Record<string, string>>;
  return (
    <span>
      {texts.rate(total, data.unitsSold)}
      {reasons.length === 0 ? null : (
        <Hint span>
          {' '}
          ({reasons.map(([reason, count]) => `${words[reason] ?? reason}: ${count}`).join(', ')})
        </Hint>
      )}
    </span>
  );
}
