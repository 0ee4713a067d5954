import type { Account, AccountPatchBody } from '@keyport/contract/accounts/accounts';
import { CURRENCY } from '@keyport/contract/formats';
import { must } from '@keyport/core/assert';
import { formatDateTime } from '@keyport/core/date-time';
import { formatMinor, formatPercent, parsePercent, toMinor } from '@keyport/core/money';
import { changesBetween } from '../audit/action.ts';
import type { AccountRecord, AccountSettings } from './accounts.sql.ts';

const UNDECIDED: AccountSettings = {
  name: '',
  status: 'active',
  paymentMethod: null,
  gatewayCustomer: null,
  discountBasisPoints: 0,
  holdOrders: false,
  sellerId: null,
  orderValueMaxMinor: null,
  dailySpendMaxMinor: null,
  dailyUnitsMax: null,
  reservedUnitsMax: 50,
  balanceLowThresholdMinor: null,
  returnWindowHours: 0,
  claimWindowHours: 720,
};

/** null removes a value. */
export function applyBody(body: AccountPatchBody, before: AccountSettings = UNDECIDED): AccountSettings {
  const limits = body.limits ?? {};
  return {
    name: body.name ?? before.name,
    status: body.status ?? before.status,
    paymentMethod: given(body.paymentMethod, before.paymentMethod),
    gatewayCustomer: given(body.gatewayCustomer, before.gatewayCustomer),
    discountBasisPoints: toBasisPoints(body.discountPercent) ?? before.discountBasisPoints,
    holdOrders: body.holdOrders ?? before.holdOrders,
    sellerId: given(body.sellerId?.toLowerCase() ?? body.sellerId, before.sellerId),
    orderValueMaxMinor: given(toLimit(limits.orderValueMax), before.orderValueMaxMinor),
    dailySpendMaxMinor: given(toLimit(limits.dailySpendMax), before.dailySpendMaxMinor),
    dailyUnitsMax: given(limits.dailyUnitsMax, before.dailyUnitsMax),
    reservedUnitsMax: limits.reservedUnitsMax ?? before.reservedUnitsMax,
    balanceLowThresholdMinor: given(toLimit(body.balanceLowThreshold), before.balanceLowThresholdMinor),
    returnWindowHours: body.returnWindowHours ?? before.returnWindowHours,
    claimWindowHours: body.claimWindowHours ?? before.claimWindowHours,
  };
}

export function formatAccount(record: AccountRecord): Account {
  return {
    id: record.id,
    ...formatSettings(record),
    balance: formatMinor(record.balanceMinor),
    usedToday: { spend: formatMinor(BigInt(record.todaySpendMinor)), units: record.todayUnits },
    createdAt: formatDateTime(record.createdAtMicros),
  };
}

export function formatOwnAccount(account: Account) {
  const {
    gatewayCustomer: _customer,
    holdOrders: _hold,
    sellerId: _seller,
    createdAt: _at,
    ...own
  } = account;
  return { ...own, currency: CURRENCY } as const;
}

/** Uses the API's names, for the audit log. */
export function changedSettings(before: AccountSettings | undefined, after: AccountSettings) {
  const described = describe(after);
  return changesBetween(describe(before ?? UNDECIDED), described, Object.keys(described));
}

function describe(settings: AccountSettings): Record<string, unknown> {
  const { limits, ...others } = formatSettings(settings);
  const named = Object.entries(limits).map(([name, limit]) => [`limits.${name}`, limit]);
  return { ...others, ...Object.fromEntries(named) };
}

function formatSettings(settings: AccountSettings) {
  return {
    name: settings.name,
    status: settings.status,
    paymentMethod: settings.paymentMethod,
    gatewayCustomer: settings.gatewayCustomer,
    discountPercent: formatPercent(settings.discountBasisPoints),
    holdOrders: settings.holdOrders,
    sellerId: settings.sellerId,
    limits: {
      orderValueMax: formatAmount(settings.orderValueMaxMinor),
      dailySpendMax: formatAmount(settings.dailySpendMaxMinor),
      dailyUnitsMax: settings.dailyUnitsMax,
      reservedUnitsMax: settings.reservedUnitsMax,
    },
    balanceLowThreshold: formatAmount(settings.balanceLowThresholdMinor),
    returnWindowHours: settings.returnWindowHours,
    claimWindowHours: settings.claimWindowHours,
  };
}

function given<Value>(value: Value | undefined, otherwise: Value): Value {
  return value === undefined ? otherwise : value;
}

function toLimit(amount: string | null | undefined): number | null | undefined {
  return typeof amount === 'string' ? toMinor(amount) : amount;
}

function toBasisPoints(percent: string | undefined): number | undefined {
  return percent === undefined ? undefined : must(parsePercent(percent), 'a percentage');
}

function formatAmount(amountMinor: number | null): string | null {
  return amountMinor === null ? null : formatMinor(amountMinor);
}
