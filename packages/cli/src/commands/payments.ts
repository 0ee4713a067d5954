import { formatDateTime, MICROS_PER_SECOND, parseDateTime } from '@keyport/core/date-time';
import { formatMinor } from '@keyport/core/money';
import { parseConfig } from '@keyport/server/config';
import type { PaymentDifference } from '@keyport/server/orders/payments/reconcile-payments';
import { type Command, InvalidArgumentError, Option } from 'commander';
import { addLeafCommand } from '../command-shape.ts';
import { CommandFailure } from '../failure.ts';
import { addGroup } from '../operations/operation-commands.ts';
import { formatTable, printResult } from '../output.ts';
import { withDatabase } from '../service/configured-database.ts';
import { toStart } from '../time-range.ts';

type Options = { readonly json?: true; readonly from?: number };

const PROBLEMS: Readonly<Record<PaymentDifference['problem'], string>> = {
  'unknown-order': 'no such order',
  'not-booked': 'order not paid',
  'second-payment': 'order paid by another payment',
  'refund-not-booked': 'refund not in the books',
};

export function addPaymentsCommand(program: Command): void {
  const payments = addGroup(program, 'payments');
  addLeafCommand(payments, {
    name: 'reconcile',
    summary: 'List provider charges and refunds that the books lack; exit with 1 if there are any',
    example: 'keyport payments reconcile --from 2026-11-21',
  })
    .addOption(
      new Option(
        '--from <date-time>',
        'compare payments since this date-time or day and, at Stripe, payments refunded since then; ' +
          'with KEYPORT_GATEWAY=http, start no later than the oldest payment that may have been refunded. ' +
          'The default is an hour before the newest order',
      ).argParser(parseMoment),
    )
    .action(async ({ json, from }: Options) => {
      const comparison = await reconcile(from);
      if (comparison.differences.length > 0) process.exitCode = 1;
      printResult(json, comparison, [formatForPeople(comparison)]);
    });
}

type Comparison = {
  readonly sinceSeconds: number;
  /** Payments refunded since then were compared, even if older. */
  readonly hasLateRefunds: boolean;
  readonly compared: number;
  readonly differences: readonly PaymentDifference[];
};

async function reconcile(from: number | undefined): Promise<Comparison> {
  const { choosePaymentList } = await import('@keyport/server/payments/choose-gateway');
  const { findComparisonStart, reconcilePayments } = await import(
    '@keyport/server/orders/payments/reconcile-payments'
  );
  const config = parseConfig();
  const list = await choosePaymentList(config);
  if (list === undefined) {
    throw new CommandFailure(
      `KEYPORT_GATEWAY is ${config.gateway}, which has no payments: set it to the provider to compare with`,
    );
  }
  return withDatabase(config, async ({ db }) => {
    const sinceSeconds = from ?? (await findComparisonStart(db));
    if (sinceSeconds === undefined) throw new CommandFailure('there is no order yet: set --from');
    const { listTaken, hasLateRefunds } = list;
    return { sinceSeconds, hasLateRefunds, ...(await reconcilePayments(db, listTaken, sinceSeconds)) };
  });
}

function parseMoment(text: string): number {
  const parsed = parseDateTime(toStart(text));
  if (!parsed.ok) throw new InvalidArgumentError('It must be a date, or a date-time with a zone.');
  return Math.floor(parsed.epochMicros / MICROS_PER_SECOND);
}

function formatForPeople({ sinceSeconds, hasLateRefunds, compared, differences }: Comparison): string {
  const since = formatDateTime(sinceSeconds * MICROS_PER_SECOND);
  const which = hasLateRefunds
    ? `charged or refunded since ${since}`
    : `charged since ${since}; refunds of older payments were not compared`;
  const head = `${compared} payments compared: ${which}.`;
  if (differences.length === 0) return `${head} All of them are in the books.`;
  const table = formatTable(differences, {
    Order: ({ orderId }) => orderId,
    Payment: ({ reference }) => reference,
    'Charged at': ({ takenAtSeconds }) => formatDateTime(takenAtSeconds * MICROS_PER_SECOND),
    Charged: ({ amountMinor, currency }) => `${formatMinor(amountMinor)} ${currency}`,
    Refunded: ({ refundedMinor }) => formatMinor(refundedMinor),
    Books: ({ problem }) => PROBLEMS[problem],
  });
  return `${table}\n\n${head} ${differences.length} differ from the books. Nothing was changed.`;
}
