/**
 * Refunds a whole order before delivery, and individual keys after delivery. The service calculates the amount.
 */
import { KeyportError } from '@keyport/sdk-source/requests/errors';
import { Button, Checkbox, Radio, Stack } from '@mantine/core';
import { admin } from '../api/admin.ts';
import { ActionDialog } from '../forms/action-dialog.tsx';
import {
  formatAmount,
  submitText,
  toastApproval,
  typedAmount,
  WritePreviewFacts,
} from '../operate/write-preview.tsx';
import { common, formatMoney } from '../texts.ts';
import { Failure } from '../ui/page.tsx';
import { toast } from '../ui/toasts.tsx';
import { Link, OrderId } from '../ui/values.tsx';
import { paths } from '../url.ts';
import { type OrderKey, type OrderWithLog, toItems, useOrderKeys } from './order-data.ts';
import { texts } from './texts.ts';

const UNITS = ['return', 'keep', 'withdraw'] as const;
export type RefundedUnits = (typeof UNITS)[number];

/** Has the items, too, so that a refund whose outcome is unknown is sent again without the keys of the order. */
type Draft = {
  readonly keys: readonly Pick<OrderKey, 'id' | 'itemId'>[];
  /** The operator's choice; if it is undefined, the keys determine it. */
  readonly chosen?: RefundedUnits;
  readonly units: RefundedUnits;
};
type Change = (changes: Partial<Draft>) => void;

const words = texts.orderActions.refund;

export function RefundDialog({ order }: { readonly order: OrderWithLog }) {
  const { data: keys, error, refetch } = useOrderKeys(order);
  const isDelivered = order.status === 'complete';
  if (isDelivered && keys === undefined && error === null) return null;
  const open = (keys ?? []).filter(
    ({ refundedAt, replacedAt }) => refundedAt === null && replacedAt === null,
  );
  const initial: Draft = { keys: [], units: isDelivered ? unitsFor(undefined, open) : 'return' };
  const toSelected = ({ keys: chosen }: Draft) =>
    open.filter(({ id }) => chosen.some((key) => key.id === id));
  const toBody = (draft: Draft & { readonly reason: string }) => ({
    reason: draft.reason,
    ...(isDelivered ? { items: itemsToRefund(draft.keys) } : {}),
    ...unitsToSend(draft.units),
  });
  const toInput = (draft: Parameters<typeof toBody>[0]) => ({
    params: { orderId: order.id },
    body: toBody(draft),
  });
  return (
    <ActionDialog
      title={words.title(order.id)}
      form={`refund:${order.id}`}
      hasReason
      initial={initial}
      isDangerous
      check={(draft) => {
        if (!isDelivered) return undefined;
        const selected = toSelected(draft);
        return selected.length < draft.keys.length
          ? words.gone
          : selected.length === 0
            ? words.nothing
            : undefined;
      }}
      fields={({ draft, change }) =>
        isDelivered && keys === undefined ? (
          <Failure error={error} retry={refetch} />
        ) : isDelivered ? (
          <RefundFields
            order={order}
            open={open}
            selected={toSelected(draft)}
            draft={draft}
            change={change}
          />
        ) : (
          <>
            <p>{words.whole}</p>
            <UnitsChoice
              choices={{ return: words.choices.return, withdraw: words.choices.withdraw }}
              units={draft.units}
              onChange={(units) => change({ units })}
            />
          </>
        )
      }
      preview={(draft) => admin.preview('refundOrder', toInput(draft))}
      showPreview={(preview) => <WritePreviewFacts preview={preview} />}
      submit={(preview) => submitText(preview, words.submitPlain, words.submit)}
      typed={(preview) => typedAmount(preview)}
      run={(draft, options) =>
        admin
          .refundOrder(toInput(draft), options)
          .withResponse()
          .catch((error: unknown) => {
            throw isAboutKeys(error)
              ? new KeyportError({ status: 409, code: 'conflict', message: words.gone })
              : error;
          })
      }
      onDone={({ isWaiting, preview }) => {
        const amount = preview === undefined ? formatMoney(order.totalPrice) : formatAmount(preview.amount);
        if (isWaiting) return toastApproval(amount);
        toast(
          <Link to={paths.order(order.id)}>
            {words.done(amount)} · <OrderId id={order.id} />
          </Link>,
        );
      }}
    />
  );
}

/** The page offered these keys, so someone else refunded or replaced one since. */
function isAboutKeys(error: unknown): boolean {
  return error instanceof KeyportError && error.errors.some(({ field = '' }) => field.includes('keyIds'));
}

/** Members of the request; `keep` sends none, so delivered keys stay with their order. */
export function unitsToSend(units: RefundedUnits) {
  return { return: { returnToStock: true }, keep: {}, withdraw: { withdrawKeys: true } }[units];
}

function itemsToRefund(keys: Draft['keys']) {
  return Array.from(
    Map.groupBy(keys, ({ itemId }) => itemId),
    ([id, ofItem]) => ({ id, quantity: ofItem.length, keyIds: ofItem.map((key) => key.id) }),
  );
}

/** Keys that were read cannot go back to stock. */
function unitsFor(chosen: RefundedUnits | undefined, keys: readonly OrderKey[]): RefundedUnits {
  const wasRead = keys.some(({ readAt }) => readAt !== null);
  if (chosen === undefined || (chosen === 'return' && wasRead)) return wasRead ? 'keep' : 'return';
  return chosen;
}

function RefundFields(props: {
  readonly order: OrderWithLog;
  readonly open: readonly OrderKey[];
  readonly selected: readonly OrderKey[];
  readonly draft: Draft;
  readonly change: Change;
}) {
  const { order, open, selected, draft, change } = props;
  const update = (keys: readonly OrderKey[], chosen: RefundedUnits | undefined = draft.chosen) =>
    change({
      keys: keys.map(({ id, itemId }) => ({ id, itemId })),
      ...(chosen === undefined ? {} : { chosen }),
      units: unitsFor(chosen, keys.length === 0 ? open : keys),
    });
  const wasRead = selected.some(({ readAt }) => readAt !== null);
  return (
    <>
      {toItems(order).map(({ id, product }) => (
        <KeyChoice
          key={id}
          label={words.units(product.name)}
          keys={open.filter(({ itemId }) => itemId === id)}
          selected={selected}
          onChange={update}
        />
      ))}
      <UnitsChoice
        choices={words.choices}
        units={draft.units}
        impossible={wasRead ? { return: words.wasRead } : {}}
        onChange={(units) => update(selected, units)}
      />
    </>
  );
}

function KeyChoice(props: {
  readonly label: string;
  readonly keys: readonly OrderKey[];
  readonly selected: readonly OrderKey[];
  readonly onChange: (keys: readonly OrderKey[]) => void;
}) {
  const { label, keys, selected, onChange } = props;
  const count = keys.filter((key) => selected.includes(key)).length;
  const others = selected.filter((key) => !keys.includes(key));
  return (
    <Checkbox.Group
      label={label}
      value={selected.map(({ id }) => id)}
      onChange={(ids) => onChange([...others, ...keys.filter(({ id }) => ids.includes(id))])}
    >
      <Stack gap={6} mt={6}>
        {keys.map(({ id, maskedCode, readAt }) => (
          <Checkbox
            key={id}
            value={id}
            label={
              <>
                <code>{maskedCode}</code> {readAt === null ? common.notRead : texts.orderKeys.wasRead}
              </>
            }
          />
        ))}
        {keys.length < 2 ? null : (
          <Button
            variant="subtle"
            size="compact-xs"
            style={{ alignSelf: 'start' }}
            onClick={() => onChange(count === keys.length ? others : [...others, ...keys])}
          >
            {count === keys.length ? words.none : words.all(keys.length)}
          </Button>
        )}
      </Stack>
    </Checkbox.Group>
  );
}

export function UnitsChoice(props: {
  readonly choices: Readonly<Partial<Record<RefundedUnits, string>>>;
  readonly units: RefundedUnits;
  readonly impossible?: Readonly<Partial<Record<RefundedUnits, string>>>;
  readonly onChange: (units: RefundedUnits) => void;
}) {
  const { choices, units, impossible = {}, onChange } = props;
  return (
    <Radio.Group
      label={words.keys}
      value={units}
      onChange={(value) => {
        const chosen = UNITS.find((one) => one === value);
        if (chosen !== undefined) onChange(chosen);
      }}
    >
      <Stack gap={6} mt={6}>
        {UNITS.filter((choice) => choices[choice] !== undefined).map((choice) => (
          <Radio
            key={choice}
            value={choice}
            label={choices[choice]}
            description={impossible[choice]}
            disabled={impossible[choice] !== undefined}
          />
        ))}
      </Stack>
    </Radio.Group>
  );
}
