/**
 * Rules for orders that an operator must review before delivery (A92). Pure. They are settings, all off by default; an
 * order caught by one is paid and then held.
 */
import { MICROS_PER_HOUR } from '../date-time.ts';
import { formatMinor } from '../money.ts';

export type RiskRules = {
  /** Orders with a higher total are held, EUR cents; undefined: no such rule. */
  readonly aboveMinor: number | undefined;
  /** Orders of accounts that were created less than this ago are held, microseconds; 0: no such rule. */
  readonly accountYoungerThanMicros: number;
  /** Orders of an account beyond this many in one hour of the clock are held; 0: no such rule. */
  readonly ordersPerHour: number;
};

export const NO_RISK_RULES: RiskRules = {
  aboveMinor: undefined,
  accountYoungerThanMicros: 0,
  ordersPerHour: 0,
};

/** The input of the rules. */
export type RiskFacts = {
  readonly totalPriceMinor: number;
  readonly accountAgeMicros: number;
  /** Orders of the account in the current hour, including this one. */
  readonly hourOrders: number;
};

/** The rules that catch the order, as text for the status log. */
export function listRisks(rules: RiskRules, facts: RiskFacts): string[] {
  const risks: string[] = [];
  if (rules.aboveMinor !== undefined && facts.totalPriceMinor > rules.aboveMinor) {
    risks.push(
      `total ${formatMinor(facts.totalPriceMinor)} EUR is above ${formatMinor(rules.aboveMinor)} EUR`,
    );
  }
  // After the clock stepped back, the age of an account may be negative.
  if (rules.accountYoungerThanMicros > 0 && facts.accountAgeMicros < rules.accountYoungerThanMicros) {
    risks.push(`the account is younger than ${rules.accountYoungerThanMicros / MICROS_PER_HOUR} hours`);
  }
  if (rules.ordersPerHour > 0 && facts.hourOrders > rules.ordersPerHour) {
    risks.push(`order ${facts.hourOrders} of the account in this hour, above ${rules.ordersPerHour}`);
  }
  return risks;
}
