import { plural, some } from '../texts.ts';

export const texts = {
  home: {
    attention: 'Needs attention',
    business: 'Business',
    period: 'Period',
    periods: { today: 'Today', week: '7 days', month: '30 days' },
    compared: {
      today: 'Compared with yesterday up to this time.',
      week: 'Compared with the previous 7 days, up to this time.',
      month: 'Compared with the previous 30 days.',
    },
    utcDays: 'Days are UTC days.',
    refunds: 'Refunds',
    overTime: 'Over time',
    figure: 'Figure',
    rejections: 'Rejections by code',
    findRejections: (code: string, count: number) => `${code}: ${plural(count, 'rejected order')}`,
    noRejections: 'No order was rejected.',
    inEur:
      'Turnover and refunds include only bookings in EUR. Imported orders in other currencies count only as orders.',
    asTable: 'As a table',
    asChart: 'As a chart',
    course: (peak: string) => `Over time; peak: ${peak}`,
    chartLabel: (figure: string) => `${figure} over time; the table has the numbers`,
  },
  attention: {
    nothing: 'Nothing needs attention now. New items appear here.',
    rule: (id: string, broken: number) => `Invariant ${id} is violated in ${plural(broken, 'row')}`,
    held: (count: number) => `${plural(count, 'order')} held`,
    claims: (count: number) => `${plural(count, 'claim')} to decide`,
    approvals: (count: number) => `${plural(count, 'approval')} to decide`,
    payments: (count: number) => `${plural(count, 'payment')} open`,
    refunds: (count: number) => `${plural(count, 'card refund')} in progress`,
    stock: (soldOut: number, low: number) =>
      [
        ...some(soldOut, `${plural(soldOut, 'offer')} sold out`),
        ...some(low, `${plural(low, 'offer')} running low`),
      ].join(', '),
    endpoints: (failing: number, disabled: number) =>
      [
        ...some(failing, `${plural(failing, 'webhook endpoint')} failing`),
        ...some(disabled, `${plural(disabled, 'webhook endpoint')} disabled`),
      ].join(', '),
    oldest: (age: string) => `oldest ${age}`,
    since: (age: string) => `for ${age}`,
    open: 'Open',
    start: 'Start',
    noPassword: 'You have no password yet',
    linkWorksOnce: 'set one within 5 minutes of signing in; your link works only once',
    setPassword: 'Set one',
  },
  age: {
    minutes: (count: number) => `${count} min`,
    hours: (count: number) => `${count} h`,
    days: (count: number) => plural(count, 'day'),
  },
} as const;
