/** Creating and changing an account. Only what was changed is sent. */
import { Checkbox, TextInput } from '@mantine/core';
import { admin } from '../api/admin.ts';
import { ActionDialog } from '../forms/action-dialog.tsx';
import { amountProblem, readAmount } from '../forms/amounts.ts';
import { type Fields, SelectField } from '../forms/fields.tsx';
import { paths } from '../paths.ts';
import { texts } from '../texts.ts';
import { toast } from '../ui/toasts.tsx';
import { useGo } from '../url.ts';
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
  readonly reservedUnitsMax: string;
  readonly returnWindowHours: string;
  readonly claimWindowHours: string;
  readonly balanceLowThreshold: string;
};

/** With the defaults of the service, which are not sent. */
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
  reservedUnitsMax: '50',
  returnWindowHours: '0',
  claimWindowHours: '720',
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
    reservedUnitsMax: String(limits.reservedUnitsMax),
    returnWindowHours: String(account.returnWindowHours),
    claimWindowHours: String(account.claimWindowHours),
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
    ...(changed('reservedUnitsMax') ? { reservedUnitsMax: Number(after.reservedUnitsMax) } : {}),
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
    ...(changed('returnWindowHours') ? { returnWindowHours: Number(after.returnWindowHours) } : {}),
    ...(changed('claimWindowHours') ? { claimWindowHours: Number(after.claimWindowHours) } : {}),
    ...(changed('balanceLowThreshold')
      ? { balanceLowThreshold: amountOrNull(after.balanceLowThreshold) }
      : {}),
    ...(Object.keys(limits).length === 0 ? {} : { limits }),
  };
}

export function NewAccountDialog({ onClose }: { readonly onClose: () => void }) {
  const go = useGo();
  return (
    <ActionDialog
      onClose={onClose}
      title={texts.accounts.new}
      form="account"
      initial={NEW}
      hasReason={false}
      problems={problemsOf}
      fields={(form) => <AccountFields {...form} />}
      submit={texts.accounts.create}
      run={(draft, options) => {
        const paymentMethod = draft.paymentMethod || null;
        const body = { ...changesBetween(NEW, draft), name: draft.name.trim(), paymentMethod };
        return admin.createAccount({ body }, options);
      }}
      onDone={({ data: { id, name } }) => {
        toast(texts.accounts.createdAs(name));
        go(paths.account(id), { tab: 'clients' });
      }}
    />
  );
}

export function EditAccountDialog(props: { readonly account: Account; readonly onClose: () => void }) {
  const { account, onClose } = props;
  const before = draftOf(account);
  return (
    <ActionDialog
      onClose={onClose}
      title={texts.account.editTitle(account.name)}
      form={`account:${account.id}`}
      initial={before}
      hasReason={false}
      problems={problemsOf}
      check={(draft) =>
        Object.keys(changesBetween(before, draft)).length === 0
          ? texts.common.nothingWasChangedYet
          : undefined
      }
      fields={(form) => <AccountFields {...form} hasStatus />}
      submit={texts.common.saveChanges}
      run={(draft, options) =>
        admin.updateAccount(
          { params: { accountId: account.id }, body: changesBetween(before, draft) },
          options,
        )
      }
      onDone={() => toast(texts.account.saved)}
    />
  );
}

/** Empty: no limit. */
const AMOUNT_FIELDS = ['orderValueMax', 'dailySpendMax', 'balanceLowThreshold'] as const;
const NUMBER_FIELDS = ['reservedUnitsMax', 'returnWindowHours', 'claimWindowHours'] as const;

function problemsOf(draft: Draft): Record<string, string | undefined> {
  const { name, discountPercent, dailyUnitsMax } = draft;
  const { percentWrong, limitWrong, unitsWrong, numberWrong } = texts.accounts;
  const amounts = AMOUNT_FIELDS.map((field) => {
    const isEmpty = draft[field].trim() === '';
    return [field, isEmpty ? undefined : amountProblem(draft[field], limitWrong, readAmount)];
  });
  const numbers = NUMBER_FIELDS.map((field) => [
    field,
    /^\d+$/.test(draft[field].trim()) ? undefined : numberWrong,
  ]);
  return {
    name: name.trim() === '' ? texts.common.enterAName : undefined,
    discountPercent: readAmount(discountPercent) === undefined ? percentWrong : undefined,
    dailyUnitsMax: /^\d*$/.test(dailyUnitsMax.trim()) ? undefined : unitsWrong,
    ...Object.fromEntries([...amounts, ...numbers]),
  };
}

/** Text fields with their labels, in the order of the form. */
const TEXT_FIELDS = [
  'gatewayCustomer',
  'discountPercent',
  'orderValueMax',
  'dailySpendMax',
  'dailyUnitsMax',
  'reservedUnitsMax',
  'returnWindowHours',
  'claimWindowHours',
  'balanceLowThreshold',
] as const satisfies readonly (keyof Draft)[];

function AccountFields({
  draft,
  change,
  bind,
  hasStatus = false,
}: Fields<Draft> & { readonly hasStatus?: boolean }) {
  const { fields, hints, paymentMethods, statuses } = texts.accounts;
  const { none, ...methods } = paymentMethods;
  return (
    <>
      <TextInput label={fields.name} data-autofocus maxLength={500} {...bind('name')} />
      {hasStatus ? (
        <SelectField
          label={fields.status}
          description={hints.status}
          choices={statuses}
          {...bind('status')}
        />
      ) : null}
      <SelectField
        label={fields.paymentMethod}
        choices={{ ...methods, '': none }}
        {...bind('paymentMethod')}
      />
      <div className="field-grid">
        {TEXT_FIELDS.filter((name) => name !== 'gatewayCustomer' || draft.paymentMethod === 'gateway').map(
          (name) => (
            <TextInput
              key={name}
              label={fields[name]}
              description={hints[name]}
              autoComplete="off"
              {...bind(name)}
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
