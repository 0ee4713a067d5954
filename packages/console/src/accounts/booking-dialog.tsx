/** Deposits, payouts and corrections of a balance. */

import { Radio, Stack, TextInput } from '@mantine/core';
import { admin } from '../api/admin.ts';
import { paths } from '../paths.ts';
import { texts } from '../texts.ts';
import { ActionDialog } from '../ui/action-dialog.tsx';
import { amountProblem, readPrice } from '../ui/amounts.ts';
import { Link } from '../ui/link.tsx';
import { toast } from '../ui/toasts.tsx';
import { formatAmount, typedAmount, type WritePreview, WritePreviewFacts } from '../ui/write-preview.tsx';

import type { Account } from './account-data.ts';

export const BOOKINGS = ['deposit', 'adjustment', 'payout'] as const;
export type BookingName = (typeof BOOKINGS)[number];

type Draft = { readonly amount: string; readonly reference: string; readonly direction: 'credit' | 'debit' };
type Body = Draft & { readonly reason: string };

const OPERATIONS = {
  deposit: 'createDeposit',
  adjustment: 'createAdjustment',
  payout: 'createPayout',
} as const;

const INITIAL: Draft = { amount: '', reference: '', direction: 'credit' };

export function BookingDialog({
  name,
  account,
  onClose,
}: {
  readonly name: BookingName;
  readonly account: Account;
  readonly onClose: () => void;
}) {
  const { title, submit, done } = texts.bookings[name];
  const params = { accountId: account.id };
  const bodyOf = ({ amount, reference, direction, reason }: Body) => ({
    amount: readPrice(amount) ?? amount.trim(),
    reference: reference.trim(),
    ...(name === 'adjustment' ? { direction, reason } : {}),
  });
  return (
    <ActionDialog<Draft, WritePreview>
      onClose={onClose}
      title={title(account.name)}
      form={`${name}:${account.id}`}
      initial={INITIAL}
      hasReason={name === 'adjustment'}
      isDangerous={name === 'payout'}
      problems={problemsOf}
      fields={(draft, change, errors) => <BookingFields {...{ name, draft, change, errors }} />}
      preview={(draft) =>
        admin
          .call(OPERATIONS[name], { params, body: { ...bodyOf(draft), dryRun: true } as never })
          .withResponse() as Promise<never>
      }
      showPreview={(preview) => <WritePreviewFacts preview={preview} account={account.name} />}
      submit={(preview) => {
        if (preview === undefined) return texts.bookings[name].name;
        const amount = formatAmount(preview.amount);
        return preview.needsApproval ? texts.action.approval(amount) : submit(amount);
      }}
      typed={(preview) => (name === 'deposit' ? undefined : typedAmount(preview))}
      run={(draft, { client, idempotencyKey }) =>
        client
          .call(OPERATIONS[name], { params, body: bodyOf(draft) as never }, { idempotencyKey })
          .withResponse()
      }
      onDone={({ isWaiting, preview }) => {
        const amount = formatAmount(preview?.amount ?? '0.00');
        toast(
          isWaiting ? (
            <Link to={paths.approvals}>{texts.action.approvalAsked(amount)}</Link>
          ) : (
            <Link to={paths.account(account.id)} search={{ tab: 'statement' }}>
              {done(amount)}
            </Link>
          ),
        );
      }}
    />
  );
}

function problemsOf({ amount, reference }: Draft) {
  return {
    amount: amountProblem(amount, texts.bookings.amountMissing),
    reference: reference.trim() === '' ? texts.bookings.referenceMissing : undefined,
  };
}

function BookingFields({
  name,
  draft,
  change,
  errors,
}: {
  readonly name: BookingName;
  readonly draft: Draft;
  readonly change: (changes: Partial<Draft>) => void;
  readonly errors: Readonly<Record<string, string>>;
}) {
  return (
    <>
      {name === 'adjustment' ? (
        <Radio.Group
          label={texts.bookings.direction}
          value={draft.direction}
          onChange={(direction) => change({ direction: direction as Draft['direction'] })}
        >
          <Stack gap={6} mt={6}>
            {(['credit', 'debit'] as const).map((direction) => (
              <Radio key={direction} value={direction} label={texts.bookings.directions[direction]} />
            ))}
          </Stack>
        </Radio.Group>
      ) : null}
      <TextInput
        label={texts.bookings.amount}
        name="amount"
        placeholder="250.00"
        inputMode="decimal"
        autoComplete="off"
        {...(name === 'adjustment' ? {} : { 'data-autofocus': true })}
        value={draft.amount}
        error={errors['amount']}
        onChange={({ currentTarget }) => change({ amount: currentTarget.value })}
      />
      <TextInput
        label={texts.bookings.reference}
        name="reference"
        description={texts.bookings.referenceHint}
        maxLength={200}
        autoComplete="off"
        value={draft.reference}
        error={errors['reference']}
        onChange={({ currentTarget }) => change({ reference: currentTarget.value })}
      />
    </>
  );
}
