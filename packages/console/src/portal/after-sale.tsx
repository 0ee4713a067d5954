/** The dialogs of a return and of a claim. */
import type { Order, OrderTimeline } from '@keyport/contract/orders/orders';
import { formatMinor, toMinor } from '@keyport/core/money';
import { priceRefund } from '@keyport/core/orders/pricing';
import { Checkbox, Stack, Textarea, TextInput } from '@mantine/core';
import { useState } from 'react';
import { appClient, useRead } from '../api/queries.ts';
import { useSessionState } from '../api/session.ts';
import { ActionDialog } from '../forms/action-dialog.tsx';
import { Operate } from '../operate/operate.tsx';
import { formatMoney } from '../texts.ts';
import { Hint } from '../ui/hint.tsx';
import { toast } from '../ui/toasts.tsx';
import { Link } from '../ui/values.tsx';
import { paths } from '../url.ts';
import { MASK } from './order-keys.tsx';
import { toItems } from './order-state.tsx';
import { texts } from './texts.ts';

type Props = { readonly orderId: string; readonly itemId: string };

export function ReturnDialog(props: {
  readonly order: Order;
  readonly item: ReturnType<typeof toItems>[number];
  readonly timeline: OrderTimeline;
  /** The units that are not refunded yet. */
  readonly units: number;
}) {
  const { order, item, timeline, units } = props;
  const orderId = order.id;
  const { name } = item.product;
  const words = texts.returns;
  return (
    <ActionDialog<{ readonly quantity: string }, never, unknown>
      title={words.title(name)}
      form={`return:${orderId}`}
      initial={{ quantity: String(units) }}
      {...(units > 1 && {
        fields: ({ bind }) => (
          <TextInput label={words.quantity} inputMode="numeric" data-autofocus {...bind('quantity')} />
        ),
      })}
      problems={({ quantity }) => ({
        quantity: isCount(quantity, units) ? undefined : words.wrong(units),
      })}
      showPreview={(_, { quantity }) =>
        isCount(quantity, units)
          ? words.says(toRefund(order, timeline, item, Number(quantity)), Number(quantity), name)
          : words.wrong(units)
      }
      submit={(_, { quantity }) => (isCount(quantity, units) ? words.submit(Number(quantity)) : words.action)}
      run={({ quantity }, options) =>
        appClient().call(
          'returnOrder',
          { params: { orderId }, body: { items: [{ id: item.id, quantity: Number(quantity) }] } },
          options,
        )
      }
      onDone={() => toast(words.done)}
    />
  );
}

/** The amount that the service refunds for these units. */
function toRefund(
  order: Order,
  timeline: OrderTimeline,
  { price }: ReturnType<typeof toItems>[number],
  count: number,
): string {
  const items = toItems(order);
  const left = items.reduce((sum, one) => sum + one.quantity.invoiced - one.quantity.refunded, 0);
  const amountMinor = priceRefund({
    unitPriceMinor: toMinor(price),
    quantity: count,
    orderSumMinor: items.reduce((sum, one) => sum + toMinor(one.price) * one.quantity.ordered, 0),
    orderTotalPriceMinor: toMinor(order.totalPrice),
    alreadyRefundedMinor: timeline.refunds.reduce((sum, { amount }) => sum + toMinor(amount), 0),
    isLast: count === left,
  });
  return formatMoney(formatMinor(amountMinor), order.currency);
}

export function isCount(text: string, most: number): boolean {
  return /^[1-9]\d*$/.test(text.trim()) && Number(text) <= most;
}

/** The keys stay in this component: a draft would store them. */
export function ClaimDialog(props: Props & { readonly codes: readonly string[] | undefined }) {
  const { orderId, itemId } = props;
  const words = texts.claims;
  // The page forgets them when the session ends; the choice is kept, but not shown.
  const [codes] = useState(props.codes);
  const [chosen, setChosen] = useState<readonly string[]>(codes?.length === 1 ? ['0'] : []);
  const hasEnded = useSessionState().status === 'expired';
  const [typed, setTyped] = useState('');
  const lines = typed.split('\n').flatMap((line) => line.trim() || []);
  const { data: claims } = useRead('listClaims', { query: { orderId } });
  const open = claims?.data.filter(({ status }) => status === 'open') ?? [];
  const claimed = codes === undefined ? lines : codes.filter((_, place) => chosen.includes(String(place)));
  return (
    <Operate
      operation="createClaim"
      params={{ orderId }}
      body={{ itemId }}
      toSecrets={() => ({ codes: claimed })}
      title={words.title}
      values={{ reason: '' }}
      problems={() => ({ codes: claimed.length === 0 ? words.codesMissing : undefined })}
      more={({ errors }) => (
        <>
          {codes === undefined ? (
            <Textarea
              label={words.codes}
              description={words.codesHint}
              data-field="codes"
              autoComplete="off"
              autosize
              minRows={2}
              value={typed}
              error={errors['codes']}
              onChange={({ currentTarget }) => setTyped(currentTarget.value)}
            />
          ) : (
            <Checkbox.Group
              label={words.codes}
              data-field="codes"
              error={errors['codes']}
              value={[...chosen]}
              onChange={setChosen}
            >
              <Stack gap={6} mt={6}>
                {codes.map((code, place) => (
                  <Checkbox key={code} value={String(place)} label={<code>{hasEnded ? MASK : code}</code>} />
                ))}
              </Stack>
            </Checkbox.Group>
          )}
          {open.map(({ id, keys }) => (
            <Hint key={id}>
              {words.isOpen(keys.map(({ masked }) => masked).join(', '))}{' '}
              <Link to={paths.claim(id)}>{words.showOpen}</Link>
            </Hint>
          ))}
        </>
      )}
      submit={words.submit}
      done={({ id }) => <Link to={paths.claim(id)}>{words.done}</Link>}
    />
  );
}
