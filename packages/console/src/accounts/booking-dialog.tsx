import { Radio, Stack, TextInput } from '@mantine/core';
import { admin } from '../api/queries.ts';
import { ActionDialog } from '../forms/action-dialog.tsx';
import { amountProblem, readPrice } from '../forms/amounts.ts';
import type { Fields } from '../forms/fields.tsx';
import {
  formatAmount,
  submitText,
  toastApproval,
  typedAmount,
  WritePreviewFacts,
} from '../forms/write-preview.tsx';
import { common } from '../texts.ts';
import { toast } from '../ui/toasts.tsx';
import { Link } from '../ui/values.tsx';
import { paths } from '../url.ts';
import type { Account } from './account-data.tsx';
import { texts } from './texts.ts';

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

export function BookingDialog(props: { readonly name: BookingName; readonly account: Account }) {
  const { name, account } = props;
  const { title, submit, done } = texts.bookings[name];
  const toInput = ({ amount, reference, direction, reason }: Body) => ({
    params: { accountId: account.id },
    body: {
      amount: readPrice(amount) ?? amount.trim(),
      reference: reference.trim().normalize(),
      ...(name === 'adjustment' ? { direction, reason } : {}),
    },
  });
  return (
    <ActionDialog
      title={title(account.name)}
      form={`${name}:${account.id}`}
      initial={INITIAL}
      hasReason={name === 'adjustment'}
      isDangerous={name === 'payout'}
      problems={findProblems}
      fields={(form) => <BookingFields name={name} {...form} />}
      preview={(draft) => admin.preview(OPERATIONS[name], toInput(draft))}
      showPreview={(preview) => <WritePreviewFacts preview={preview} account={account.name} />}
      submit={(preview) => submitText(preview, texts.bookings[name].name, submit)}
      typed={(preview) => (name === 'deposit' ? undefined : typedAmount(preview))}
      run={(draft, options) => admin.call(OPERATIONS[name], toInput(draft), options)}
      onDone={({ isWaiting, preview }) => {
        const amount = formatAmount(preview?.amount ?? '0.00');
        if (isWaiting) return toastApproval(amount);
        toast(
          <Link to={paths.account(account.id)} search={{ tab: 'statement' }}>
            {done(amount)}
          </Link>,
        );
      }}
    />
  );
}

function findProblems({ amount, reference }: Draft) {
  return {
    amount: amountProblem(amount, common.amountMissing),
    reference: reference.trim() === '' ? texts.bookings.referenceMissing : undefined,
  };
}

function BookingFields({ name, draft, change, bind }: Fields<Draft> & { readonly name: BookingName }) {
  const words = texts.bookings;
  return (
    <>
      {name === 'adjustment' ? (
        <Radio.Group
          label={words.direction}
          value={draft.direction}
          onChange={(direction) => change({ direction: direction === 'debit' ? 'debit' : 'credit' })}
        >
          <Stack gap={6} mt={6}>
            {(['credit', 'debit'] as const).map((direction) => (
              <Radio key={direction} value={direction} label={words.directions[direction]} />
            ))}
          </Stack>
        </Radio.Group>
      ) : null}
      <TextInput
        label={words.amount}
        placeholder="250.00"
        inputMode="decimal"
        autoComplete="off"
        {...(name === 'adjustment' ? {} : { 'data-autofocus': true })}
        {...bind('amount')}
      />
      <TextInput
        label={common.reference}
        description={words.referenceHint}
        maxLength={200}
        autoComplete="off"
        {...bind('reference')}
      />
    </>
  );
}
