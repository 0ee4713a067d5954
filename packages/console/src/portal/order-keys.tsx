/** The keys of an order: masked until they are shown, and forgotten with the page. */
import type { Order, OrderTimeline } from '@keyport/contract/orders/orders';
import { Button, Group } from '@mantine/core';
import { useCallback, useEffect, useRef, useState } from 'react';
import { saveCsv } from '../api/download.ts';
import { appClient, queryClient } from '../api/queries.ts';
import { useMay, useSessionState } from '../api/session.ts';
import { common } from '../texts.ts';
import { Hint } from '../ui/hint.tsx';
import { InlineFailure, Section, useWork, Warning } from '../ui/page.tsx';
import { CopyButton, Time, useCopy } from '../ui/values.tsx';
import { toItems } from './order-state.tsx';
import { texts } from './texts.ts';

export const MASK = '•••••-•••••-•••••';
const MASKED_MAX = 3;

const HIDDEN_MS_MAX = 5 * 60_000;
const WARN_BEFORE_MS = 6 * 3_600_000;

/** Keys do not stay on the screen of a person who has left: after the session, or in a tab hidden for long. */
export function useCodes() {
  const [codes, setCodes] = useState<readonly string[]>();
  const forget = useCallback(() => setCodes(undefined), []);
  const hasEnded = useSessionState().status === 'expired';
  useEffect(() => {
    if (hasEnded) forget();
  }, [hasEnded, forget]);
  useEffect(() => {
    let hiddenAtMs = Date.now();
    let timer: number | undefined;
    const follow = () => {
      clearTimeout(timer);
      if (document.hidden) {
        hiddenAtMs = Date.now();
        timer = window.setTimeout(forget, HIDDEN_MS_MAX);
        // A sleeping computer runs no timers.
      } else if (Date.now() - hiddenAtMs > HIDDEN_MS_MAX) forget();
    };
    document.addEventListener('visibilitychange', follow);
    return () => {
      clearTimeout(timer);
      document.removeEventListener('visibilitychange', follow);
    };
  }, [forget]);
  // Effects run only after a paint, which must not show the keys any more.
  return [hasEnded ? undefined : codes, setCodes] as const;
}

export function OrderKeys(props: {
  readonly order: Order;
  readonly timeline: OrderTimeline | undefined;
  readonly codes: readonly string[] | undefined;
  readonly setCodes: (codes: readonly string[] | undefined) => void;
}) {
  const { order, timeline, codes, setCodes } = props;
  const mayRead = useMay('buy');
  const { isRunning, error, run } = useWork();
  const count = toItems(order).reduce((sum, { quantity }) => sum + quantity.shipped, 0);
  const until = timeline?.keysReadableUntil;
  const isOver = until != null && Date.parse(until) < Date.now();
  const read = () =>
    run(async () => {
      try {
        const items = await appClient().call('getOrderKeys', { params: { orderId: order.id } });
        setCodes(items.flatMap(({ keys }) => keys.map(({ code }) => code)));
      } finally {
        // The keys may have been read although the response was lost: they can then no longer be returned.
        void queryClient.invalidateQueries({ queryKey: ['getOrderTimeline'] });
      }
    });
  const says = !mayRead
    ? texts.keys.noRole
    : order.status === 'complete'
      ? undefined
      : toWaiting(order.status);
  return (
    <Section title={texts.keys.title}>
      {codes === undefined ? (
        <ul className="rows">
          {Array.from({ length: Math.min(count, MASKED_MAX) }, (_, place) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: they are all alike
            <li key={place}>
              <code aria-hidden="true">{MASK}</code>
              {place === MASKED_MAX - 1 && count > MASKED_MAX ? (
                <Hint span>{common.others(count - MASKED_MAX)}</Hint>
              ) : null}
            </li>
          ))}
        </ul>
      ) : (
        <Shown codes={codes} orderId={order.id} />
      )}
      {mayRead && !isOver && until != null && timeline?.keysReadAt === null && isNear(until) ? (
        <Warning icon="clock">{texts.keys.endsSoon(count)}</Warning>
      ) : null}
      <Group mt={10} gap={10}>
        {codes === undefined ? (
          says === undefined && !isOver && count > 0 && until != null ? (
            <Button variant="filled" loading={isRunning} onClick={() => void read()}>
              {texts.keys.show(count)}
            </Button>
          ) : null
        ) : (
          <ShownTools codes={codes} orderId={order.id} hide={() => setCodes(undefined)} />
        )}
        <Hint span>
          {says ?? (count === 0 ? texts.keys.none : null)}
          {says === undefined && until != null && count > 0 ? (
            <>
              {isOver ? texts.keys.over(count) : texts.keys.readUntil(count)} <Time at={until} />.{' '}
              {codes !== undefined
                ? texts.keys.forgotten(count)
                : timeline?.returnableUntil == null ||
                    Date.parse(timeline.returnableUntil) < Date.now() ||
                    isOver
                  ? null
                  : texts.keys.costsReturn(count)}
            </>
          ) : null}
        </Hint>
        <InlineFailure error={error} />
      </Group>
    </Section>
  );
}

const isNear = (until: string) => Date.parse(until) - Date.now() < WARN_BEFORE_MS;

function toWaiting(status: Order['status']): string {
  if (status === 'closed') return texts.keys.refunded;
  return status === 'canceled' ? texts.keys.canceled : texts.keys.waiting;
}

type Codes = { readonly codes: readonly string[]; readonly orderId: string };

function Shown({ codes }: Codes) {
  const list = useRef<HTMLUListElement>(null);
  useEffect(() => list.current?.querySelector('button')?.focus(), []);
  return (
    <ul ref={list} className="rows">
      {codes.map((code, place) => (
        <li key={code}>
          <code className="wraps">{code}</code>
          <CopyButton text={code} what={`${texts.keys.code} ${place + 1}`} />
        </li>
      ))}
    </ul>
  );
}

function ShownTools({ codes, orderId, hide }: Codes & { readonly hide: () => void }) {
  const { isCopied, copy } = useCopy(codes.join('\n'));
  const csv = () =>
    saveCsv(
      `keys-${orderId}.csv`,
      [common.order, texts.keys.code],
      codes.map((code) => [orderId, code]),
    );
  return (
    <>
      {codes.length > 1 ? (
        <Button onClick={copy}>{isCopied ? common.copied : texts.keys.copyAll}</Button>
      ) : null}
      <Button onClick={csv}>{texts.keys.csv}</Button>
      <Button variant="subtle" onClick={hide}>
        {texts.keys.hide}
      </Button>
    </>
  );
}
