import type { OperatorElement } from '@keyport/sdk-source/admin';
import { Box, Button, Group, Text } from '@mantine/core';
import { useRef, useState } from 'react';
import { appClient, type Input, useRead } from '../api/queries.ts';
import { ActionDialog } from '../forms/action-dialog.tsx';
import { openDialog } from '../forms/closing.tsx';
import { Steps } from '../forms/steps.tsx';
import { texts as formTexts } from '../forms/texts.ts';
import { toColumns } from '../lists/columns.tsx';
import { List, useList } from '../lists/list.tsx';
import { Peek } from '../lists/peek.tsx';
import { actionsColumn } from '../lists/row-actions.tsx';
import type { Chosen } from '../lists/selected.tsx';
import { common, formatCount, toNames } from '../texts.ts';
import { Hint } from '../ui/hint.tsx';
import { Facts, Loaded, Section } from '../ui/page.tsx';
import { toast } from '../ui/toasts.tsx';
import { Badge, CopyButton, type Look, OrderLink, Time } from '../ui/values.tsx';
import { useUrl } from '../url.ts';
import { texts } from './texts.ts';

type Delivery = OperatorElement<'listAccountWebhookDeliveries'>;

/** The operations of operators, or of the account itself; those of operators also take an account. */
export type EndpointOperations = {
  readonly deliveries: 'listAccountWebhookDeliveries' | 'listWebhookDeliveries';
  readonly event: 'getAccountEvent' | 'getEvent';
  readonly redeliver: 'redeliverAccountWebhook' | 'redeliverWebhook';
};

type Params = Readonly<Record<string, string>>;

export type EndpointProps = {
  readonly operations: EndpointOperations;
  /** The account, for operators. */
  readonly params: Params;
  readonly endpoint: { readonly id: string; readonly url: string };
  readonly may: boolean;
};

const LOOKS = {
  pending: ['info', 'clock'],
  delivered: ['good', 'check'],
  failed: ['bad', 'cross'],
} as const satisfies Record<Delivery['status'], Look>;

const COLUMNS = toColumns('listAccountWebhookDeliveries', {
  type: ({ type, eventId }) => (
    <Group component="span" className="short-id" display="inline-flex" gap={2} wrap="nowrap">
      {type}
      <CopyButton text={eventId} what={texts.deliveries.eventId} />
    </Group>
  ),
  orderId: ({ orderId }) => (orderId === undefined ? null : <OrderLink id={orderId} />),
  status: ({ status, attempts }) =>
    status === 'pending' && attempts.length > 0 ? (
      <Badge look={['warn', 'clock']}>{texts.deliveries.retrying}</Badge>
    ) : (
      <Badge look={LOOKS[status]}>{texts.deliveries.statuses[status]}</Badge>
    ),
  outcome: (delivery) => <Outcome delivery={delivery} />,
  attempts: ({ attempts }) => attempts.length,
});

export function Deliveries(props: EndpointProps) {
  const { operations, endpoint, may } = props;
  const { look } = useUrl();
  const [selected, setSelected] = useState<readonly string[]>([]);
  const list = useList(operations.deliveries, {
    params: { ...props.params, endpointId: endpoint.id },
    isFiltered: true,
    limit: 20,
    isNumbered: true,
    everyMs: 3000,
  });
  const find = (id: string) => list.rows?.find((one) => one.id === id);
  const redeliver = (ids: readonly string[], rows: readonly Delivery[] = [], keep?: Chosen['keep']) =>
    openDialog(<RedeliverDialog {...props} ids={ids} rows={rows} keep={keep} />);
  const actions = actionsColumn<Delivery>(({ id, eventId }) => [
    { label: texts.deliveries.show, name: texts.deliveries.showOf(eventId), run: () => look({ peek: id }) },
    ...(may
      ? [
          {
            label: texts.deliveries.redeliver,
            name: texts.deliveries.redeliverOf(eventId),
            run: () => redeliver([id]),
          },
        ]
      : []),
  ]);
  return (
    <>
      <List
        list={list}
        isLabelled
        label={texts.endpoints.deliveries}
        columns={[...COLUMNS, actions]}
        {...(may ? { selection: { selected, setSelected } } : {})}
        bulk={({ ids, rows, keep }) => (
          <Button onClick={() => redeliver(ids, rows ?? list.rows, keep)}>
            {texts.deliveries.redeliverAll(ids.length)}…
          </Button>
        )}
        icon="webhooks"
        none={texts.deliveries.empty}
      />
      <Peek title={(id) => find(id)?.type ?? texts.requests.gone}>
        {(id) => {
          const delivery = find(id);
          return delivery === undefined ? (
            texts.requests.gone
          ) : (
            <Exchange {...props} delivery={delivery} redeliver={() => redeliver([id])} />
          );
        }}
      </Peek>
    </>
  );
}

function RedeliverDialog(
  props: EndpointProps & {
    readonly ids: readonly string[];
    /** The chosen deliveries may be on pages that are not loaded. */
    readonly rows: readonly Delivery[];
    readonly keep: Chosen['keep'] | undefined;
  },
) {
  const { operations, endpoint, ids, rows, keep } = props;
  const chosen = rows.filter(({ id }) => ids.includes(id));
  const submit = texts.deliveries.redeliverAll(ids.length);
  // A retry after a failure skips the deliveries that were already sent.
  const [done, setDone] = useState<readonly string[]>([]);
  const sentCount = useRef(0);
  return (
    <ActionDialog
      title={submit}
      form={`redeliver:${ids.join()}`}
      showPreview={() => (
        <>
          <p>{texts.deliveries.redeliverAllSays(ids.length)}</p>
          {ids.length > 1 ? <Facts facts={toFacts(endpoint.url, chosen, ids.length)} /> : null}
        </>
      )}
      typed={() => (ids.length > 1 ? String(ids.length) : undefined)}
      submit={submit}
      progress={
        ids.length > 1 ? (
          <Steps text={formTexts.steps.done(done.length, ids.length)} share={done.length / ids.length} />
        ) : undefined
      }
      run={async (_draft, _options, stop) => {
        // Sequential, since the service limits an operator's redeliveries.
        const left = ids.filter((id) => !done.includes(id));
        const send = async (deliveryId: string) => {
          const params = { ...props.params, endpointId: endpoint.id, deliveryId };
          const sent = await appClient()
            .call(operations.redeliver, { params } as Input<EndpointOperations['redeliver']>)
            .withResponse();
          left.shift();
          sentCount.current = ids.length - left.length;
          setDone(ids.slice(0, sentCount.current));
          keep?.([...left]);
          return sent;
        };
        const [first = '', ...others] = left;
        let sent = await send(first);
        for (const id of others) {
          if (stop.aborted) break;
          sent = await send(id);
        }
        return sent;
      }}
      onDone={() => {
        const count = sentCount.current;
        toast(
          count === ids.length
            ? texts.deliveries.redelivered(count)
            : formTexts.steps.stopped(count, texts.deliveries.isRedelivered, ids.length - count),
        );
      }}
    />
  );
}

function toFacts(url: string, rows: readonly Delivery[], count: number) {
  const types = [...new Set(rows.map(({ type }) => type))];
  const oldest = rows.flatMap(({ attempts }) => attempts[0]?.at ?? []).toSorted()[0];
  return {
    [texts.deliveries.events]: formatCount(count),
    [texts.deliveries.kinds]: types.length === 0 ? null : toNames(types),
    [common.url]: url,
    [texts.deliveries.oldest]: oldest === undefined ? null : <Time at={oldest} />,
  };
}

function Exchange(props: EndpointProps & { readonly delivery: Delivery; readonly redeliver: () => void }) {
  const { operations, params, endpoint, may, delivery, redeliver } = props;
  const { eventId, attempts } = delivery;
  const event = useRead(operations.event, {
    params: { ...params, eventId },
  } as unknown as Input<EndpointOperations['event']>);
  const last = attempts.at(-1);
  const sentAt = last === undefined ? '…' : Math.floor(Date.parse(last.at) / 1000);
  const request = `POST ${endpoint.url}\ncontent-type: application/json\nwebhook-id: ${eventId}\nwebhook-timestamp: ${sentAt}\nwebhook-signature: v1,…`;
  return (
    <div>
      {may ? (
        <Button mb={16} onClick={redeliver}>
          {texts.deliveries.redeliver}…
        </Button>
      ) : null}
      <Section title={texts.deliveries.request}>
        <pre>{request}</pre>
      </Section>
      <Section title={texts.deliveries.payload}>
        <Loaded query={event} missing="event">
          {(data) => <pre>{JSON.stringify(data, null, 2)}</pre>}
        </Loaded>
      </Section>
      <Section title={texts.deliveries.responses}>
        {attempts.length === 0 ? <Hint>{texts.deliveries.noResponse}</Hint> : null}
        {attempts.toReversed().map(({ at, statusCode, error, address, durationMs, responseExcerpt }) => (
          <Box key={at} mb={12} className="wraps">
            <strong>
              <Time at={at} />
              {[statusCode, address, texts.requests.milliseconds(durationMs)]
                .filter((part) => part !== undefined)
                .map((part) => ` · ${part}`)}
            </strong>
            {error === undefined || isOfStatus(statusCode) ? null : <Text>{error}</Text>}
            {responseExcerpt === undefined ? null : <pre>{responseExcerpt}</pre>}
          </Box>
        ))}
      </Section>
    </div>
  );
}

/** Such an error only repeats the status. A redirect's error explains it. */
const isOfStatus = (status: number | undefined) => status !== undefined && (status < 300 || status >= 400);

function Outcome({ delivery: { attempts, nextAttemptAt } }: { readonly delivery: Delivery }) {
  const last = attempts.at(-1);
  // The error names the status.
  const text = [last?.error ?? last?.statusCode, last?.address]
    .filter((part) => part !== undefined)
    .join(': ');
  return (
    <div className="wraps">
      <span title={last?.responseExcerpt}>{text}</span>
      {nextAttemptAt === undefined ? null : (
        <Hint span>
          {' '}
          {texts.deliveries.next} <Time at={nextAttemptAt} />
        </Hint>
      )}
    </div>
  );
}
