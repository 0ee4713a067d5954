/** The members of an entry in the audit log, in words. */
import { spelled } from '@keyport/contract/spelled';
import { texts as approvals } from '../approvals/texts.ts';
import { common, formatCount, formatMoney, inPercent, isolated, plural, some } from '../texts.ts';
import { texts } from './texts.ts';

type Members = Readonly<Record<string, unknown>>;
export type Change = {
  readonly member: string;
  readonly before: unknown;
  readonly after: unknown;
};

/** The rest of a long list is counted. */
export const SHOWN_MAX = 20;

export function isChange(value: unknown): value is { readonly from: unknown; readonly to: unknown } {
  return typeof value === 'object' && value !== null && 'from' in value && 'to' in value;
}

export function changesIn(members: unknown): Change[] {
  return Object.entries(Object(members) as Members).flatMap(([member, value]) =>
    isChange(value) ? [{ member, before: value.from, after: value.to }] : [],
  );
}

/** The terms of one of many offers; only those that differ. */
export function changesOfOffer(change: { offerId: string; before: Members; after: Members }): Change[] {
  const { offerId, before, after } = change;
  return Object.keys(after)
    .filter((name) => before[name] !== after[name])
    .map((name) => ({
      member: texts.ofOffer(toLabel(name), offerId),
      before: toWords(name, before[name]),
      after: toWords(name, after[name]),
    }));
}

const LABELS: Readonly<Record<string, string>> = { ...common.fields, ...texts.members };
const WORDS: Readonly<Record<string, string>> = {
  ...common.offerStatuses,
  ...common.claimReasons,
  ...common.roles,
  ...approvals.operations,
  ...texts.values,
};
const AMOUNTS = /^(?:amount|price|balance|orderValueMax|dailySpendMax|balanceLowThreshold)$/;

export function toLabel(name: string): string {
  const own = name.replace(/^limits\./, '');
  return LABELS[own] ?? (/^[\w.-]+$/.test(own) ? spelled(own) : own);
}

/** Programs' names of values, amounts and lists, in words. */
export function toWords(name: string, value: unknown): string {
  if (value === null || value === undefined || value === '') return '–';
  if (typeof value === 'boolean') return value ? texts.yes : texts.no;
  if (Array.isArray(value)) {
    const more = value.length > SHOWN_MAX ? [common.others(value.length - SHOWN_MAX)] : [];
    return [...value.slice(0, SHOWN_MAX).map((one) => toWords(name, one)), ...more].join(', ');
  }
  if (typeof value === 'object')
    return Object.entries(value)
      .map(([part, one]) => `${toLabel(part)}: ${toWords(part, one)}`)
      .join(', ');
  const text = String(value);
  if (name.endsWith('Percent')) return inPercent(Number(text));
  if (/^-?\d+\.\d+$/.test(text) && AMOUNTS.test(name.replace(/^limits\./, ''))) return formatMoney(text);
  return WORDS[text] ?? text;
}

/** Changes that one line has room for. */
const CHANGES_MAX = 3;

/** Describes an entry in a few words: its amount, keys, result, reference or changed members. */
export function summarize({ action, data }: { readonly action: string; readonly data: Members }): string {
  const { operation, amount, keyIds, keys, decisions, reference } = data;
  const count = Array.isArray(keyIds) ? keyIds.length : typeof keys === 'number' ? keys : 0;
  const outcomes = Map.groupBy(Object.values(Object(decisions) as Members), String);
  const changes = action.endsWith('.create') ? [] : changesIn(data).slice(0, CHANGES_MAX);
  const did = [
    ...(typeof operation === 'string' ? [toWords('operation', operation)] : []),
    ...some(count, plural(count, 'key')),
    ...(typeof amount === 'string' ? [formatMoney(amount)] : []),
    ...Array.from(
      outcomes,
      ([outcome, all]) => `${formatCount(all.length)} ${toWords('', outcome).toLowerCase()}`,
    ),
  ].join(', ');
  return [
    did,
    ...(typeof reference === 'string' ? [isolated(reference)] : []),
    ...changes.map(
      ({ member, before, after }) =>
        `${toLabel(member)} ${isolated(toWords(member, before ?? texts.none))} → ${isolated(toWords(member, after ?? texts.none))}`,
    ),
  ]
    .filter((part) => part !== '')
    .join(' · ');
}
