/** Settings of the risk rules: what they take, what they are without a value, and what is said about a wrong one. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ConfigError, describeConfig, parseConfig } from '../src/config.ts';

const ABOVE = 'KEYPORT_RISK_HOLD_ABOVE';
const YOUNGER = 'KEYPORT_RISK_HOLD_ACCOUNT_YOUNGER_THAN_HOURS';
const PER_HOUR = 'KEYPORT_RISK_HOLD_ORDERS_PER_HOUR';

test('without settings no risk rule is in force', () => {
  const { riskHoldAbove, riskHoldAccountYoungerThanHours, riskHoldOrdersPerHour } = parseConfig({});
  assert.deepEqual(
    [riskHoldAbove, riskHoldAccountYoungerThanHours, riskHoldOrdersPerHour],
    [undefined, 0, 0],
  );
});

test('risk rules are listed as they were set', () => {
  const settings = { [ABOVE]: '200.00', [YOUNGER]: '1.5', [PER_HOUR]: '40' };
  const shown = describeConfig(parseConfig(settings)).filter(({ variable }) => variable in settings);
  assert.deepEqual(Object.fromEntries(shown.map(({ variable, value }) => [variable, value])), settings);
});

test('a wrong risk rule is refused with its name and what it takes', () => {
  const rows: [variable: string, values: string[], takes: RegExp][] = [
    [ABOVE, ['many', '-1', '1.234', '1e3', '200,00', '1.'], /must be an amount in EUR such as 200\.00/],
    [YOUNGER, ['-1', 'a day', '1000001'], /must be a number from 0 to 1000000/],
    [PER_HOUR, ['-1', '2.5', 'x'], /must be a whole number from 0 to 1000000/],
  ];
  for (const [variable, values, takes] of rows) {
    for (const value of values) {
      assert.throws(
        () => parseConfig({ [variable]: value }),
        (error) =>
          error instanceof ConfigError && error.message.includes(variable) && takes.test(error.message),
        `${variable}=${value}`,
      );
    }
  }
});
