/** Saves the filtered entries as CSV, page by page. */
import type { OperatorElement } from '@keyport/sdk/admin';
import { Button } from '@mantine/core';
import { useState } from 'react';
import { admin } from '../api/admin.ts';
import { saveCsv } from '../api/download.ts';
import { texts } from '../texts.ts';
import { InlineFailure } from '../ui/states.tsx';

/** More than a spreadsheet opens; filters make it less. */
const ROWS_MAX = 100_000;
const HEAD = [
  'at',
  'clientId',
  'name',
  'role',
  'address',
  'action',
  'orderId',
  'accountId',
  'traceId',
  'data',
];

export function AuditExport({ query }: { readonly query: Readonly<Record<string, string | undefined>> }) {
  const [count, setCount] = useState<number>();
  const [error, setError] = useState<unknown>();
  const save = async () => {
    const rows: string[][] = [];
    setCount(0);
    setError(undefined);
    try {
      for await (const entry of admin.all('listAudit', { query: { ...query, limit: 1000 } })) {
        rows.push(rowOf(entry));
        if (rows.length % 1000 === 0) setCount(rows.length);
        if (rows.length >= ROWS_MAX) break;
      }
      saveCsv('audit.csv', HEAD, rows);
    } catch (thrown) {
      setError(thrown);
    }
    setCount(undefined);
  };
  return (
    <>
      <Button size="xs" variant="default" disabled={count !== undefined} onClick={() => void save()}>
        {count === undefined ? texts.common.downloadCsv : texts.audit.exporting(count)}
      </Button>
      <InlineFailure error={error} />
    </>
  );
}

function rowOf(entry: OperatorElement<'listAudit'>): string[] {
  const { at, clientId, name, role, address, action, orderId, accountId, traceId, data } = entry;
  const cells = [at, clientId, name, role, address, action, orderId, accountId, traceId];
  return [...cells.map((cell) => cell ?? ''), JSON.stringify(data)];
}
