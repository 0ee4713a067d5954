import { deepEqual } from 'node:assert/strict';
import { test } from 'vitest';
import { listRisks, NO_RISK_RULES, type RiskFacts, type RiskRules } from './risk-rules.ts';

const HOUR_MICROS = 3_600_000_000;
const FACTS: RiskFacts = { totalPriceMinor: 20_000, accountAgeMicros: 24 * HOUR_MICROS, hourOrders: 5 };

/** An order at the bound of a rule passes; an order one step beyond it is caught. */
const BOUNDS: [rules: Partial<RiskRules>, beyond: Partial<RiskFacts>, risk: string][] = [
  [{ aboveMinor: 20_000 }, { totalPriceMinor: 20_001 }, 'total 200.01 EUR is above 200.00 EUR'],
  [
    { accountYoungerThanMicros: 24 * HOUR_MICROS },
    { accountAgeMicros: 24 * HOUR_MICROS - 1 },
    'the account is younger than 24 hours',
  ],
  [{ ordersPerHour: 5 }, { hourOrders: 6 }, 'order 6 of the account in this hour, above 5'],
];

test('no order is caught if there are no rules', () => {
  const extreme = { totalPriceMinor: Number.MAX_SAFE_INTEGER, accountAgeMicros: 0, hourOrders: 1_000_000 };
  // The clock stepped back after the account was created.
  const negativeAge = { ...FACTS, accountAgeMicros: -10 * HOUR_MICROS };
  for (const facts of [FACTS, extreme, negativeAge]) deepEqual(listRisks(NO_RISK_RULES, facts), []);
});

test('each rule passes an order at its bound and catches one beyond it', () => {
  for (const [rule, beyond, risk] of BOUNDS) {
    const rules = { ...NO_RISK_RULES, ...rule };
    deepEqual(listRisks(rules, FACTS), []);
    deepEqual(listRisks(rules, { ...FACTS, ...beyond }), [risk]);
  }
});

test('all rules that catch an order are named', () => {
  const rules = Object.assign({ ...NO_RISK_RULES }, ...BOUNDS.map(([rule]) => rule));
  const facts = Object.assign({ ...FACTS }, ...BOUNDS.map(([, beyond]) => beyond));
  deepEqual(
    listRisks(rules, facts),
    BOUNDS.map(([, , risk]) => risk),
  );
});

test('a bound of 0 is a rule, unlike no bound: every order that costs something is above 0.00', () => {
  const rules = { ...NO_RISK_RULES, aboveMinor: 0 };
  deepEqual(listRisks(rules, { ...FACTS, totalPriceMinor: 0 }), []);
  deepEqual(listRisks(rules, { ...FACTS, totalPriceMinor: 1 }), ['total 0.01 EUR is above 0.00 EUR']);
});
