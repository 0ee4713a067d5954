/**
 * The sandbox's check of a reseller's client. Only the button starts it, since it also probes webhook
 * endpoints.
 */

import type { OperatorAnswer } from '@keyport/sdk-source/admin';
import { Button, Group, NativeSelect, Text } from '@mantine/core';
import { useState } from 'react';
import { useRead } from '../api/queries.ts';
import { common } from '../texts.ts';
import { Hint } from '../ui/hint.tsx';
import { Empty, Failure, Loaded, Loading, Section } from '../ui/page.tsx';
import { Badge, type Look, Time } from '../ui/values.tsx';
import type { Account } from './account-data.tsx';
import { texts } from './texts.ts';
import '../mantine-more.css';

type Result = OperatorAnswer<'getClientCheckup'>;
type Check = Result['checks'][number];

const CLIENTS_MAX = 100;

export function AccountCheckup({ account }: { readonly account: Account }) {
  const [chosen, setChosen] = useState<string>();
  const [run, setRun] = useState<{ readonly clientId: string; readonly number: number }>();
  const params = { accountId: account.id };
  const clients = useRead('listClients', { params, query: { itemsPerPage: CLIENTS_MAX } });
  const ofRun = { params: { clientId: run?.clientId ?? '' } };
  const result = useRead('getClientCheckup', ofRun, { version: run?.number, enabled: run !== undefined });
  const list = clients.data?.data;
  if (list === undefined) {
    return clients.error === null ? <Loading /> : <Failure error={clients.error} retry={clients.refetch} />;
  }
  const clientId = chosen ?? list[0]?.clientId;
  if (clientId === undefined) return <Empty icon="key">{texts.clients.empty}</Empty>;
  const start = () => setRun((before) => ({ clientId, number: (before?.number ?? 0) + 1 }));
  return (
    <>
      <Group mb={12}>
        <NativeSelect
          aria-label={texts.checkup.client}
          value={clientId}
          data={list.map((one) => ({ value: one.clientId, label: one.name ?? one.clientId }))}
          onChange={({ currentTarget }) => setChosen(currentTarget.value)}
        />
        <Button variant="filled" loading={result.isFetching} onClick={start}>
          {common.checkNow}
        </Button>
        <Hint span>{texts.checkup.hint}</Hint>
      </Group>
      {run === undefined ? (
        <Empty icon="check">{texts.checkup.empty}</Empty>
      ) : (
        <Loaded query={result.error === null ? result : { ...result, data: undefined }}>
          {(judged) => <Judgement result={judged} />}
        </Loaded>
      )}
    </>
  );
}

const LOOKS = {
  failed: ['bad', 'cross'],
  passed: ['good', 'check'],
  'not-seen': ['neutral', 'minus'],
} as const satisfies Record<Check['status'], Look>;

function Judgement({ result: { score, seen, requests, checks } }: { readonly result: Result }) {
  const order = Object.keys(LOOKS);
  const sorted = checks.toSorted((one, other) => order.indexOf(one.status) - order.indexOf(other.status));
  return (
    <Section title={texts.checkup.score({ score, seen, total: checks.length, requests })}>
      <ul>
        {sorted.map((check) => (
          <CheckItem key={check.id} check={check} />
        ))}
      </ul>
    </Section>
  );
}

function CheckItem({ check: { title, status, howTo, evidence = [], doc } }: { readonly check: Check }) {
  return (
    <li className="item">
      <Group justify="space-between" gap={16} wrap="nowrap">
        <strong>{title}</strong>
        <Badge look={LOOKS[status]}>{texts.checkup.statuses[status]}</Badge>
      </Group>
      {status === 'passed' ? null : (
        <Text component="div" fz={13} c="dimmed">
          {howTo} <a href={doc}>{texts.checkup.more}</a>
        </Text>
      )}
      {evidence.length === 0 ? null : (
        <ul className="evidence">
          {evidence.map(({ at, request, note }) => (
            <li key={`${at} ${request} ${note}`}>
              <Time at={at} /> <code>{request}</code> {note}
            </li>
          ))}
        </ul>
      )}
    </li>
  );
}
