import { Checkbox, TextInput } from '@mantine/core';
import { admin } from '../api/queries.ts';
import { ActionDialog } from '../forms/action-dialog.tsx';
import { amountProblem, readAmount } from '../forms/amounts.ts';
import { type Fields, SelectField } from '../forms/fields.tsx';
import { common } from '../texts.ts';
import { toast } from '../ui/toasts.tsx';
import { paths, useGo } from '../url.ts';
import type { Account } from './account-data.tsx';
import { texts } from './texts.ts';

/** Amounts in EUR; an empty field means no limit or warning. */
const AMOUNTS = ['orderValueMax', 'dailySpendMax', 'balanceLowThreshold'] as const;
const NUMBERS = ['reservedUnitsMax', 'returnWindowHours', 'claimWindowHours'] as const;
/** In the order of the form. */
const TEXTS = [
  ...(['gatewayCustomer', 'discountPercent', 'orderValueMax', 'dailySpendMax', 'dailyUnitsMax'] as const),
  ...NUMBERS,
  'balanceLowThreshold',
] as const;

type Draft = Readonly<Record<'name' | (typeof TEXTS)[number], string>> & {
  readonly status: Account['status'];
  readonly paymentMethod: '' | 'balance' | 'gateway';
  readonly holdOrders: boolean;
};

/** The defaults of the service, which are not sent. */
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

function toDraft(account: Account): Draft {
  const { name, status, paymentMethod, holdOrders, limits } = account;
  const members = { ...account, ...limits };
  const shown = TEXTS.map((text) => [text, String(members[text] ?? '')]);
  return { name, status, paymentMethod: paymentMethod ?? '', holdOrders, ...Object.fromEntries(shown) };
}

const textOrNull = (text: string) => (text.trim() === '' ? null : text.trim());
const amountOrNull = (text: string) => readAmount(text) ?? textOrNull(text);

/** The members of the body that differ between two drafts. */
function changesBetween(before: Draft, after: Draft) {
  const toChanges = (members: Partial<Record<keyof Draft, unknown>>) =>
    Object.fromEntries(
      Object.entries(members).filter(([name]) => before[name as keyof Draft] !== after[name as keyof Draft]),
    );
  const limits = toChanges({
    orderValueMax: amountOrNull(after.orderValueMax),
    dailySpendMax: amountOrNull(after.dailySpendMax),
    dailyUnitsMax: after.dailyUnitsMax.trim() === '' ? null : Number(after.dailyUnitsMax),
    reservedUnitsMax: Number(after.reservedUnitsMax),
  });
  const others = toChanges({
    name: after.name.trim(),
    status: after.status,
    paymentMethod: after.paymentMethod || null,
    gatewayCustomer: textOrNull(after.gatewayCustomer),
    discountPercent: readAmount(after.discountPercent) ?? after.discountPercent.trim(),
    holdOrders: after.holdOrders,
    returnWindowHours: Number(after.returnWindowHours),
    claimWindowHours: Number(after.claimWindowHours),
    balanceLowThreshold: amountOrNull(after.balanceLowThreshold),
  });
  return { ...others, ...(Object.keys(limits).length === 0 ? {} : { limits }) };
}

export function NewAccountDialog() {
  const go = useGo();
  return (
    <ActionDialog
      title={common.newAccount}
      form="account"
      initial={NEW}
      problems={findProblems}
      fields={(form) => <AccountFields {...form} />}
      submit={texts.accounts.create}
      run={(draft, options) => {
        const paymentMethod = draft.paymentMethod || null;
        const body = { ...changesBetween(NEW, draft), name: draft.name.trim(), paymentMethod };
        return admin.createAccount({ body }, options);
      }}
      onDone={({ data: { id, name } }) => {
        go(paths.account(id), { tab: 'clients' });
        toast(texts.accounts.createdAs(name));
      }}
    />
  );
}

export function EditAccountDialog(props: { readonly account: Account }) {
  const { account } = props;
  const before = toDraft(account);
  return (
    <ActionDialog
      title={texts.account.editTitle(account.name)}
      form={`account:${account.id}`}
      initial={before}
      problems={findProblems}
      check={(draft) =>
        Object.keys(changesBetween(before, draft)).length === 0 ? common.nothingWasChangedYet : undefined
      }
      fields={(form) => <AccountFields {...form} hasStatus />}
      submit={common.saveChanges}
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

/** Suspends the account, or activates it again. */
export function AccountStatusDialog({ account }: { readonly account: Account }) {
  const status = otherStatus(account);
  const words = texts.account[status];
  return (
    <ActionDialog
      title={words.title(account.name)}
      form={`account-status:${account.id}`}
      showPreview={() => words.effect}
      submit={words.name}
      isDangerous={status === 'suspended'}
      run={(_draft, options) =>
        admin.updateAccount({ params: { accountId: account.id }, body: { status } }, options)
      }
      onDone={() => toast(words.done)}
    />
  );
}

export function otherStatus({ status }: Account): 'active' | 'suspended' {
  return status === 'active' ? 'suspended' : 'active';
}

function findProblems(draft: Draft): Record<string, string | undefined> {
  const { name, discountPercent, dailyUnitsMax } = draft;
  const { percentWrong, limitWrong, unitsWrong, numberWrong } = texts.accounts;
  const amounts = AMOUNTS.map((field) => {
    const isEmpty = draft[field].trim() === '';
    return [field, isEmpty ? undefined : amountProblem(draft[field], limitWrong, readAmount)];
  });
  const numbers = NUMBERS.map((field) => [
    field,
    /^\d+$/.test(draft[field].trim()) ? undefined : numberWrong,
  ]);
  return {
    name: name.trim() === '' ? common.enterAName : undefined,
    discountPercent: readAmount(discountPercent) === undefined ? percentWrong : undefined,
    dailyUnitsMax: /^\d*$/.test(dailyUnitsMax.trim()) ? undefined : unitsWrong,
    ...Object.fromEntries([...amounts, ...numbers]),
  };
}

function AccountFields(form: Fields<Draft> & { readonly hasStatus?: boolean }) {
  const { draft, change, bind, hasStatus = false } = form;
  const { fields, hints, paymentMethods, statuses } = texts.accounts;
  const { none, ...methods } = paymentMethods;
  const shown = TEXTS.filter((name) => name !== 'gatewayCustomer' || draft.paymentMethod === 'gateway');
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
        {shown.map((name) => (
          <TextInput
            key={name}
            label={fields[name]}
            description={hints[name]}
            autoComplete="off"
            {...bind(name)}
          />
        ))}
      </div>
      <Checkbox
        label={fields.holdOrders}
        checked={draft.holdOrders}
        onChange={({ currentTarget }) => change({ holdOrders: currentTarget.checked })}
      />
    </>
  );
}
