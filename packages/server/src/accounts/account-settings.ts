import type { Account, AccountPatchBody } from '@keyport/contract/accounts/accounts';
import { must } from '@keyport/core/assert';
import { formatDateTime } from '@keyport/core/date-time';
import { formatMinor, formatPercent, minorOf, parsePercent } from '@keyport/core/money';
import { changesBetween } from '../audit/action.ts';
import type { AccountRecord, AccountSettings } from './accounts.sql.ts';

const RESERVED_UNITS_MAX_DEFAULT = 50;

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
  reservedUnitsMax: RESERVED_UNITS_MAX_DEFAULT,
  balanceLowThresholdMinor: null,
  returnWindowHours: 0,
  claimWindowHours: 720,
};

/** null takes a value away. */
export function applyBody(body: AccountPatchBody, before: AccountSettings = UNDECIDED): AccountSettings {
  const limits = body.limits ?? {};
  return {
    name: body.name ?? before.name,
    status: body.status ?? before.status,
    paymentMethod: given(body.paymentMethod, before.paymentMethod),
    gatewayCustomer: given(body.gatewayCustomer, before.gatewayCustomer),
    discountBasisPoints: basisPointsOf(body.discountPercent) ?? before.discountBasisPoints,
    holdOrders: body.holdOrders ?? before.holdOrders,
    sellerId: given(body.sellerId?.toLowerCase() ?? body.sellerId, before.sellerId),
    orderValueMaxMinor: given(limitOf(limits.orderValueMax), before.orderValueMaxMinor),
    dailySpendMaxMinor: given(limitOf(limits.dailySpendMax), before.dailySpendMaxMinor),
    dailyUnitsMax: given(limits.dailyUnitsMax, before.dailyUnitsMax),
    reservedUnitsMax: limits.reservedUnitsMax ?? before.reservedUnitsMax,
    balanceLowThresholdMinor: given(limitOf(body.balanceLowThreshold), before.balanceLowThresholdMinor),
    returnWindowHours: body.returnWindowHours ?? before.returnWindowHours,
    claimWindowHours: body.claimWindowHours ?? before.claimWindowHours,
  };
}

export function formatAccount(record: AccountRecord): Account {
  return {
    id: record.id,
    name: record.name,
    status: record.status,
    paymentMethod: record.paymentMethod,
    gatewayCustomer: record.gatewayCustomer,
    balance: formatMinor(record.balanceMinor),
    discountPercent: formatPercent(record.discountBasisPoints),
    holdOrders: record.holdOrders,
    sellerId: record.sellerId,
    limits: {
      orderValueMax: formatAmount(record.orderValueMaxMinor),
      dailySpendMax: formatAmount(record.dailySpendMaxMinor),
      dailyUnitsMax: record.dailyUnitsMax,
      reservedUnitsMax: record.reservedUnitsMax,
    },
    usedToday: { spend: formatMinor(BigInt(record.todaySpendMinor)), units: record.todayUnits },
    balanceLowThreshold: formatAmount(record.balanceLowThresholdMinor),
    returnWindowHours: record.returnWindowHours,
    claimWindowHours: record.claimWindowHours,
    createdAt: formatDateTime(record.createdAtMicros),
  };
}

/** By the names of the interface: for the audit log. */
export function changedSettings(before: AccountSettings | undefined, after: AccountSettings) {
  const described = describe(after);
  return changesBetween(describe(before ?? UNDECIDED), described, Object.keys(described));
}

function describe(settings: AccountSettings): Record<string, string | number | boolean | null> {
  return {
    name: settings.name,
    status: settings.status,
    paymentMethod: settings.paymentMethod,
    gatewayCustomer: settings.gatewayCustomer,
    discountPercent: formatPercent(settings.discountBasisPoints),
    holdOrders: settings.holdOrders,
    sellerId: settings.sellerId,
    'limits.orderValueMax': formatAmount(settings.orderValueMaxMinor),
    'limits.dailySpendMax': formatAmount(settings.dailySpendMaxMinor),
    'limits.dailyUnitsMax': settings.dailyUnitsMax,
    'limits.reservedUnitsMax': settings.reservedUnitsMax,
    balanceLowThreshold: formatAmount(settings.balanceLowThresholdMinor),
    returnWindowHours: settings.returnWindowHours,
    claimWindowHours: settings.claimWindowHours,
  };
}

function given<Value>(value: Value | undefined, otherwise: Value): Value {
  return value === undefined ? otherwise : value;
}

function limitOf(amount: string | null | undefined): number | null | undefined {
  return amount === null || amount === undefined ? amount : minorOf(amount);
}

function basisPointsOf(percent: string | undefined): number | undefined {
  return percent === undefined
    ? undefined
    : must(parsePercent(percent), 'the schema lets percentages only pass');
}

export function formatAmount(amountMinor: number | null): string | null {
  return amountMinor === null ? null : formatMinor(amountMinor);
}
