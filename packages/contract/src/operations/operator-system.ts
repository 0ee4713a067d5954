import { Type } from 'typebox';
import { AcceptHeaders } from '../lists.ts';
import * as Audit from '../operators/audit.ts';
import * as Summary from '../operators/summary.ts';
import * as System from '../operators/system.ts';
import { cursorList, ok, operatorRows, pagesOrCursorPages } from './builders.ts';

const system = operatorRows('Operator: system', 'view');

export const SYSTEM_OPERATIONS = {
  listAudit: system.read('/admin/v1/audit', {
    summary: 'List key reveals and operator actions',
    description:
      'Newest first. Uses page numbers with a total, or a cursor: `accountId`, `traceId`, `actionsOnly` and `sort` require the cursor.',
    query: Audit.AuditQuery,
    responses: pagesOrCursorPages(Audit.AuditEntry),
  }),
  verifyAudit: system.read('/admin/v1/audit/verify', {
    isHeavy: true,
    summary: 'Check that no entry of the audit log was removed, changed or moved',
    description: 'Reads the whole log.',
    query: Audit.AuditVerifyQuery,
    responses: ok(Audit.AuditCheck),
  }),
  getSummary: system.read('/admin/v1/summary', {
    summary: 'Get orders, turnover, refunds and rejections over time',
    description:
      'By UTC hours or days, including those of `from` and `to`; at most 744 hours or 400 days. Orders count in the bucket in which they were placed, as in the list of orders; turnover, refunds and rejections count when they happened. Exact at the time of the response.',
    query: Summary.SummaryQuery,
    responses: ok(Summary.Summary),
  }),
  getSalesReport: system.read('/admin/v1/reports/sales', {
    summary: 'Get sales by day, account, product, seller or region',
    description:
      'Charges and refunds of at most 400 UTC days, compared with as many days before, or with the same days of the months before if the period starts on the first of a month; exact at the time of the response. `dimension` and `id` select the days of one account, product, seller or region. `Accept: text/csv` returns all rows as a CSV file.',
    query: Summary.SalesReportQuery,
    headers: AcceptHeaders,
    responses: ok(Summary.SalesReport),
    csvExample:
      'day,name,orders,units,turnover,refunds,refunded,net,before.orders,before.units,before.turnover,before.refunds,before.refunded,before.net\r\n',
  }),
  getAttention: system.read('/admin/v1/attention', {
    summary: 'Get what needs attention',
    description:
      'Held orders, unsettled payments and refunds, approvals, offers that are running out, failing webhook endpoints and violated invariants.',
    responses: ok(Summary.Attention),
  }),
  listIncidents: system.read('/admin/v1/incidents', {
    summary: 'List incidents',
    description:
      'Violated invariants, overdue payments, failing webhook endpoints, stopped imports, lost nodes and failed notifications, with the times when each began and ended; newest first by default. Kept for 400 days.',
    ...cursorList(Summary.IncidentsQuery, Summary.Incident),
  }),
  getSystem: system.read('/admin/v1/system', {
    summary: 'Get version, mode, database, nodes, settings, master keys, lag and the last verification',
    description: 'Version, mode, settings and the lag of the catalogue are those of the responding node.',
    responses: ok(System.SystemInfo),
  }),
  verifyInvariants: system.read('/admin/v1/verify', {
    isHeavy: true,
    summary: 'Check every invariant of books, stock, records and the catalogue in memory',
    description: 'The catalogue in memory (I66) is that of the responding node.',
    query: System.VerifyQuery,
    responses: ok(Type.Array(System.InvariantResult)),
  }),
} as const;
