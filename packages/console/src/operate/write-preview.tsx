import type { WritePreview } from '@keyport/sdk-source/admin';
import { Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { useSession } from '../api/session.ts';
import { texts } from '../forms/texts.ts';
import { common, formatMoney } from '../texts.ts';
import { Facts } from '../ui/page.tsx';
import { toast } from '../ui/toasts.tsx';
import { Link, Money } from '../ui/values.tsx';
import { paths } from '../url.ts';

export function WritePreviewFacts(props: {
  readonly preview: WritePreview | undefined;
  readonly says?: ReactNode;
  readonly account?: string | undefined;
}) {
  const { preview, says, account } = props;
  const { approvalAbove } = useSession();
  if (preview === undefined) return <p>{texts.action.previewLoading}</p>;
  const facts = toFacts(preview);
  return (
    <>
      {says === undefined ? null : <p>{says}</p>}
      {facts.length === 0 ? (
        <p>{account === undefined ? texts.preview.nothing : texts.preview.booked}</p>
      ) : (
        <Facts facts={account === undefined ? facts : [[common.account, account], ...facts]} />
      )}
      {preview.needsApproval && approvalAbove !== null ? (
        <Text mt={8} c="var(--warn)">
          {texts.action.approvalNeeded(formatMoney(approvalAbove))}
        </Text>
      ) : null}
    </>
  );
}

function toFacts(preview: WritePreview): (readonly [string, ReactNode])[] {
  const { amount, balance, bookings, order, units, stock } = preview;
  const facts: (readonly [string, ReactNode])[] = [];
  if (!isZero(amount)) {
    const kind = bookings[0]?.kind;
    const isNamed = kind === 'deposit' || kind === 'payout' || kind === 'adjustment';
    // The name of a payout already shows the direction, so its amount has no sign.
    const shown = kind === 'payout' ? amount.replace(/^-/, '') : amount;
    const name = isNamed ? texts.preview.amounts[kind] : texts.preview.amount;
    facts.push([name, <Money key="amount" amount={shown} />]);
  }
  if (balance !== null) {
    const change = `${formatMoney(balance.before)} → ${formatMoney(balance.after)}`;
    facts.push([texts.preview.balance, change]);
  }
  if (order !== null && order.before.status !== order.after.status) {
    const [before, after] = [common.statuses[order.before.status], common.statuses[order.after.status]];
    facts.push([common.status, `${before} → ${after}`]);
  }
  for (const name of ['returned', 'withdrawn', 'kept', 'delivered'] as const)
    if (units[name] > 0) facts.push([common.movedUnits[name], String(units[name])]);
  for (const { offerId, before, after } of stock)
    facts.push([texts.preview.stock(offerId.slice(0, 8)), `${before} → ${after}`]);
  return facts;
}

export function submitText(
  preview: WritePreview | undefined,
  plain: string,
  submit: (amount: string) => string,
): string {
  if (preview === undefined) return plain;
  const amount = formatAmount(preview.amount);
  return preview.needsApproval ? texts.action.approval(amount) : submit(amount);
}

export function toastApproval(amount: string): void {
  toast(<Link to={paths.approvals}>{texts.action.approvalAsked(amount)}</Link>);
}

function isZero(amount: string): boolean {
  return /^-?0(\.0*)?$/.test(amount);
}

/** Without a sign: the button names the direction. */
export function formatAmount(amount: string): string {
  return formatMoney(amount.replace(/^-/, ''));
}

const TYPED_ABOVE = 500;

export function typedAmount(preview: { readonly amount: string } | undefined): string | undefined {
  const amount = preview?.amount.replace(/^-/, '');
  return amount !== undefined && Number(amount) > TYPED_ABOVE ? amount : undefined;
}
