/** What a write would do, as the service has calculated it in a dry run. */
import type { OperatorAnswer } from '@keyport/sdk/admin';
import type { ReactNode } from 'react';
import { useSession } from '../api/session.ts';
import { texts } from '../texts.ts';
import { Facts } from './page.tsx';
import { formatMoney, Money } from './values.tsx';

/** The answer to every dry run. */
export type WritePreview = NonNullable<OperatorAnswer<'getApproval'>['preview']>;

export function WritePreviewFacts({
  preview,
  account,
}: {
  readonly preview: WritePreview | undefined;
  /** The account, if the form does not show it. */
  readonly account?: string | undefined;
}) {
  const { approvalAbove } = useSession();
  if (preview === undefined) return <p>{texts.action.previewLoading}</p>;
  const { balance, bookings, order, units, stock, needsApproval } = preview;
  const facts: (readonly [string, ReactNode])[] =
    account === undefined ? [] : [[texts.orders.account, account]];
  if (!isZero(preview.amount)) {
    const kind = bookings[0]?.kind;
    const isNamed = kind === 'deposit' || kind === 'payout' || kind === 'adjustment';
    // A payout takes from the balance and pays the reseller: its name says which way.
    const amount = kind === 'payout' ? preview.amount.replace(/^-/, '') : preview.amount;
    const name = isNamed ? texts.preview.amounts[kind] : texts.preview.amount;
    facts.push([name, <Money key="amount" amount={amount} />]);
  }
  if (balance !== null) {
    facts.push([
      texts.preview.balance,
      <span key="balance">
        <Money amount={balance.before} /> → <Money amount={balance.after} />
      </span>,
    ]);
  }
  if (order !== null && order.before.status !== order.after.status) {
    facts.push([
      texts.preview.status,
      `${texts.statuses[order.before.status]} → ${texts.statuses[order.after.status]}`,
    ]);
  }
  for (const name of ['returned', 'withdrawn', 'kept', 'delivered'] as const) {
    if (units[name] > 0) facts.push([texts.preview.units[name], String(units[name])]);
  }
  for (const { offerId, before, after } of stock) {
    facts.push([texts.preview.stock(offerId.slice(0, 8)), `${before} → ${after}`]);
  }
  return (
    <>
      {facts.length === 0 || (facts.length === 1 && account !== undefined) ? (
        <p>{texts.preview.nothing}</p>
      ) : (
        <Facts facts={facts} />
      )}
      {needsApproval && approvalAbove !== null ? (
        <p className="approval">{texts.action.approvalNeeded(formatMoney(approvalAbove))}</p>
      ) : null}
    </>
  );
}

function isZero(amount: string): boolean {
  return /^-?0(\.0*)?$/.test(amount);
}

/** Without its sign: a button says which way the money goes. */
export function formatAmount(amount: string): string {
  return formatMoney(amount.replace(/^-/, ''));
}

/** Above this many EUR the amount has to be typed. */
const TYPED_ABOVE = 500;

/** What has to be typed, without the sign of the currency; undefined: nothing. */
export function typedAmount(preview: { readonly amount: string } | undefined): string | undefined {
  const amount = preview?.amount.replace(/^-/, '');
  return amount !== undefined && Number(amount) > TYPED_ABOVE ? amount : undefined;
}
