/** An order that matches a rule is paid and then held (A92). */
import { MICROS_PER_HOUR } from '../date-time.ts';
import { formatMinor } from '../money.ts';

export type RiskRules = {
  /** EUR cents; undefined turns the rule off. */
  readonly aboveMinor: number | undefined;
  /** Microseconds; 0 turns the rule off. */
  readonly accountYoungerThanMicros: number;
  /** Per clock hour; 0 turns the rule off. */
  readonly ordersPerHour: number;
};

export const NO_RISK_RULES: RiskRules = {
  aboveMinor: undefined,
  accountYoungerThanMicros: 0,
  ordersPerHour: 0,
};

export type RiskFacts = {
  readonly totalPriceMinor: number;
  readonly accountAgeMicros: number;
  readonly hourOrders: number;
};

export function listRisks(rules: RiskRules, facts: RiskFacts): string[] {
  const risks: string[] = [];
  if (rules.aboveMinor !== undefined && facts.totalPriceMinor > rules.aboveMinor)
    risks.push(
      `total ${formatMinor(facts.totalPriceMinor)} EUR is above ${formatMinor(rules.aboveMinor)} EUR`,
    );
  // After the clock stepped back, the age may be negative.
  if (rules.accountYoungerThanMicros > 0 && facts.accountAgeMicros < rules.accountYoungerThanMicros)
    risks.push(`the account is younger than ${rules.accountYoungerThanMicros / MICROS_PER_HOUR} hours`);
  if (rules.ordersPerHour > 0 && facts.hourOrders > rules.ordersPerHour)
    risks.push(`order ${facts.hourOrders} of the account in this hour, above ${rules.ordersPerHour}`);
  return risks;
}
