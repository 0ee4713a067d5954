/** Creating and changing an account. Only what was changed is sent. */
import { Checkbox, NativeSelect, TextInput } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { paths } from '../paths.ts';
import { texts } from '../texts.ts';
import { ActionDialog } from '../ui/action-dialog.tsx';
import { amountProblem, readAmount } from '../ui/amounts.ts';
import { toast } from '../ui/toasts.tsx';
import type { Account } from './account-data.ts';

type Draft = {
  readonly name: string;
  readonly status: Account['status'];
  readonly paymentMethod: '' | 'balance' | 'gateway';
  readonly gatewayCustomer: string;
  readonly discountPercent: string;
  readonly holdOrders: boolean;
  readonly orderValueMax: string;
  readonly dailySpendMax: string;
  readonly dailyUnitsMax: string;
  readonly balanceLowThreshold: string;
};

const NEW: Draft = {
  name: '',
  status: 'active',
  paymentMethod: 'balance',
  gatewayCustomer: '',
  discountPercent: '0.00',
  holdOrders: false,
  orderValueMax: '',
  dailySpendMax: '',
  dailyUnitsMax: '',
  balanceLowThreshold: '',
};

function draftOf(account: Account): Draft {
  const { limits } = account;
  return {
    name: account.name,
    status: account.status,
    paymentMethod: account.paymentMethod ?? '',
    gatewayCustomer: account.gatewayCustomer ?? '',
    discountPercent: account.discountPercent,
    holdOrders: account.holdOrders,
    orderValueMax: limits.orderValueMax ?? '',
    dailySpendMax: limits.dailySpendMax ?? '',
    dailyUnitsMax: limits.dailyUnitsMax === null ? '' : String(limits.dailyUnitsMax),
    balanceLowThreshold: account.balanceLowThreshold ?? '',
  };
}

const textOrNull = (text: string) => (text.trim() === '' ? null : text.trim());
const amountOrNull = (text: string) => readAmount(text) ?? textOrNull(text);

/** The members of the body that differ between two drafts. */
function changesBetween(before: Draft, after: Draft) {
  const changed = (name: keyof Draft) => before[name] !== after[name];
  const limits = {
    ...(changed('orderValueMax') ? { orderValueMax: amountOrNull(after.orderValueMax) } : {}),
    ...(changed('dailySpendMax') ? { dailySpendMax: amountOrNull(after.dailySpendMax) } : {}),
    ...(changed('dailyUnitsMax')
      ? { dailyUnitsMax: after.dailyUnitsMax.trim() === '' ? null : Number(after.dailyUnitsMax) }
      : {}),
  };
  return {
    ...(changed('name') ? { name: after.name.trim() } : {}),
    ...(changed('status') ? { status: after.status } : {}),
    ...(changed('paymentMethod') ? { paymentMethod: after.paymentMethod || null } : {}),
    ...(changed('gatewayCustomer') ? { gatewayCustomer: textOrNull(after.gatewayCustomer) } : {}),
    ...(changed('discountPercent')
      ? { discountPercent: readAmount(after.discountPercent) ?? after.discountPercent.trim() }
      : {}),
    ...(changed('holdOrders') ? { holdOrders: after.holdOrders } : {}),
    ...(changed('balanceLowThreshold')
      ? { balanceLowThreshold: amountOrNull(after.balanceLowThreshold) }
      : {}),
    ...(Object.keys(limits).length === 0 ? {} : { limits }),
  };
}

export function NewAccountDialog({ onClose }: { readonly onClose: () => void }) {
  const navigate = useNavigate();
  return (
    <ActionDialog<Draft, never>
      onClose={onClose}
      title={texts.accounts.new}
      form="account"
      initial={NEW}
      hasReason={false}
      problems={problemsOf}
      fields={(draft, change, errors) => <AccountFields {...{ draft, change, errors }} />}
      submit={() => texts.accounts.create}
      run={(draft, { client, idempotencyKey }) => {
        const body = { ...changesBetween(NEW, draft), name: draft.name.trim() };
        const paymentMethod = draft.paymentMethod || null;
        return client.createAccount({ body: { ...body, paymentMethod } }, { idempotencyKey }).withResponse();
      }}
      onDone={({ data }) => {
        const { id, name } = data as Account;
        toast(texts.accounts.createdAs(name));
        void navigate({ to: paths.account(id), search: { tab: 'clients' } as never });
      }}
    />
  );
}

export function EditAccountDialog({
  account,
  onClose,
}: {
  readonly account: Account;
  readonly onClose: () => void;
}) {
  const before = draftOf(account);
  return (
    <ActionDialog<Draft, never>
      onClose={onClose}
      title={texts.account.editTitle(account.name)}
      form={`account:${account.id}`}
      initial={before}
      hasReason={false}
      problems={problemsOf}
      check={(draft) =>
        Object.keys(changesBetween(before, draft)).length === 0 ? texts.account.nothingChanged : undefined
      }
      fields={(draft, change, errors) => <AccountFields {...{ draft, change, errors }} hasStatus />}
      submit={() => texts.account.save}
      run={(draft, { client, idempotencyKey }) =>
        client
          .updateAccount(
            { params: { accountId: account.id }, body: changesBetween(before, draft) },
            { idempotencyKey },
          )
          .withResponse()
      }
      onDone={() => toast(texts.account.saved)}
    />
  );
}

/** Empty: no limit. */
const AMOUNT_FIELDS = ['orderValueMax', 'dailySpendMax', 'balanceLowThreshold'] as const;

function problemsOf(draft: Draft): Record<string, string | undefined> {
  const { name, discountPercent, dailyUnitsMax } = draft;
  const { nameMissing, percentWrong, limitWrong, unitsWrong } = texts.accounts;
  const amounts = AMOUNT_FIELDS.map((field) => {
    const isEmpty = draft[field].trim() === '';
    return [field, isEmpty ? undefined : amountProblem(draft[field], limitWrong, readAmount)];
  });
  return {
    name: name.trim() === '' ? nameMissing : undefined,
    discountPercent: readAmount(discountPercent) === undefined ? percentWrong : undefined,
    dailyUnitsMax: /^\d*$/.test(dailyUnitsMax.trim()) ? undefined : unitsWrong,
    ...Object.fromEntries(amounts),
  };
}

/** Text fields with their labels, in the order of the form. */
const TEXT_FIELDS = [
  'gatewayCustomer',
  'discountPercent',
  'orderValueMax',
  'dailySpendMax',
  'dailyUnitsMax',
  'balanceLowThreshold',
] as const satisfies readonly (keyof Draft)[];

function AccountFields({
  draft,
  change,
  errors,
  hasStatus = false,
}: {
  readonly draft: Draft;
  readonly change: (changes: Partial<Draft>) => void;
  readonly errors: Readonly<Record<string, string>>;
  readonly hasStatus?: boolean;
}) {
  const { fields, hints, paymentMethods, statuses } = texts.accounts;
  return (
    <>
      <TextInput
        label={fields.name}
        name="name"
        data-autofocus
        maxLength={500}
        value={draft.name}
        error={errors['name']}
        onChange={({ currentTarget }) => change({ name: currentTarget.value })}
      />
      {hasStatus ? (
        <NativeSelect
          label={fields.status}
          name="status"
          error={errors['status']}
          description={hints.status}
          value={draft.status}
          data={Object.entries(statuses).map(([value, label]) => ({ value, label }))}
          onChange={({ currentTarget }) => change({ status: currentTarget.value as Draft['status'] })}
        />
      ) : null}
      <NativeSelect
        label={fields.paymentMethod}
        name="paymentMethod"
        error={errors['paymentMethod']}
        value={draft.paymentMethod}
        data={[
          { value: 'balance', label: paymentMethods.balance },
          { value: 'gateway', label: paymentMethods.gateway },
          { value: '', label: paymentMethods.none },
        ]}
        onChange={({ currentTarget }) =>
          change({ paymentMethod: currentTarget.value as Draft['paymentMethod'] })
        }
      />
      <div className="field-grid">
        {TEXT_FIELDS.filter((name) => name !== 'gatewayCustomer' || draft.paymentMethod === 'gateway').map(
          (name) => (
            <TextInput
              key={name}
              name={name}
              label={fields[name]}
              description={hints[name]}
              autoComplete="off"
              value={draft[name]}
              error={errors[name]}
              onChange={({ currentTarget }) => change({ [name]: currentTarget.value })}
            />
          ),
        )}
      </div>
      <Checkbox
        label={fields.holdOrders}
        checked={draft.holdOrders}
        onChange={({ currentTarget }) => change({ holdOrders: currentTarget.checked })}
      />
    </>
  );
}
