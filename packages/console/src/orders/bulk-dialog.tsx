/**
 * One action for several orders: a dry run of each, then a request for each. Those that fail stay selected, as do
 * those left out because a request about them waits for approval.
 */
import type { OperatorElement, WritePreview } from '@keyport/sdk-source/admin';
import { KeyportError } from '@keyport/sdk-source/requests/errors';
import { Alert, Box, Checkbox, Stack } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { admin } from '../api/admin.ts';
import { fourAtOnce, queryClient } from '../api/queries.ts';
import { newUuid } from '../api/uuid.ts';
import {
  AmountField,
  FormButtons,
  findTypedProblem,
  onSubmitKey,
  ReasonField,
} from '../forms/action-dialog.tsx';
import { useClose } from '../forms/closing.tsx';
import { Dialog } from '../forms/dialog.tsx';
import { Steps } from '../forms/steps.tsx';
import { useStopping } from '../forms/stopping.ts';
import { texts as formTexts } from '../forms/texts.ts';
import { isUnknownOutcome } from '../forms/use-action.ts';
import {
  type OpenApproval,
  OpenApprovalText,
  openApprovalsIn,
  ReviewLink,
} from '../operate/open-approvals.tsx';
import { common, formatCount, toNames } from '../texts.ts';
import { Icon } from '../ui/icons.tsx';
import { Facts } from '../ui/page.tsx';
import { toast } from '../ui/toasts.tsx';
import { formatMoney, OrderId, Time } from '../ui/values.tsx';
import { toMessage } from '../ui/wording.ts';
import { computeSum, computeSums, computeUnits } from './order-data.ts';
import { type RefundedUnits, UnitsChoice, unitsToSend } from './refund-dialog.tsx';
import { texts } from './texts.ts';

type Order = OperatorElement<'listAllOrders'>;
export type BulkName = 'release' | 'hold' | 'refund';

const OPERATIONS = { release: 'releaseOrder', hold: 'holdOrder', refund: 'refundOrder' } as const;
const PROBLEMS_MAX = 20;
const MOVED = ['returned', 'kept', 'withdrawn'] as const;

type Tried = {
  readonly id: string;
  readonly problem?: string;
  /** The service rejected the request and changed nothing. */
  readonly isRejected?: boolean;
  readonly isWaiting?: boolean;
};
type Preview = Tried & {
  readonly amount: string;
  readonly etag: string | undefined;
  /** The destination of the refunded units. */
  readonly units: RefundedUnits;
  readonly moved: Partial<WritePreview['units']>;
  readonly open: readonly OpenApproval[];
};

export function BulkDialog(props: {
  readonly name: BulkName;
  readonly ids: readonly string[];
  readonly orders: readonly Order[];
  readonly onFailed: (ids: readonly string[]) => void;
}) {
  const { name, ids, orders, onFailed } = props;
  const close = useClose();
  const [units, setUnits] = useState<RefundedUnits>('return');
  const { data: previews, isPlaceholderData } = useQuery({
    queryKey: ['bulk', name, ids, units],
    gcTime: 0,
    staleTime: 0,
    refetchOnWindowFocus: false,
    queryFn: ({ signal }) => fourAtOnce(ids, (id) => previewOne(name, id, units), setDone, signal),
  });
  const [done, setDone] = useState(0);
  const [keys] = useState(() => new Map(ids.map((id) => [id, newUuid()])));
  const [reason, setReason] = useState('');
  const [typed, setTyped] = useState('');
  const [isChecked, setChecked] = useState(false);
  const [takesOpen, setTakesOpen] = useState(false);
  const stopping = useStopping();
  const { isRunning } = stopping;
  const [failed, setFailed] = useState<readonly Tried[]>([]);
  const possible = previews?.filter(({ problem }) => problem === undefined) ?? [];
  const withOpen = possible.filter(({ open }) => open.length > 0);
  const chosen = takesOpen ? possible : possible.filter(({ open }) => open.length === 0);
  const sum = computeSum(chosen.map(({ amount }) => amount));
  const wanted = name === 'refund' ? sum : String(chosen.length);
  const typedProblem = findTypedProblem(typed, wanted);
  const isReady =
    !isPlaceholderData && reason.trim() !== '' && chosen.length > 0 && typedProblem === undefined;
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    setChecked(true);
    if (!isReady || isRunning) return;
    const sent = await stopping.run((stop) =>
      fourAtOnce(
        chosen,
        (one) => sendOne(name, one, reason.trim(), keys.get(one.id) ?? newUuid()),
        setDone,
        stop,
      ),
    );
    // A definite rejection is stored under its key, so the next attempt needs a new key.
    for (const { id, isRejected = false } of sent) if (isRejected) keys.set(id, newUuid());
    const notDone = sent.filter(({ problem }) => problem !== undefined);
    const succeeded = new Set(sent.filter(({ problem }) => problem === undefined).map(({ id }) => id));
    const left = ids.filter((id) => !succeeded.has(id));
    onFailed(left);
    const waiting = countWaiting(sent);
    if (sent.length < chosen.length) toast(texts.bulk.stopped(name, succeeded.size, left.length));
    else if (succeeded.size > 0) toast(texts.bulk.done(name, succeeded.size - waiting, waiting));
    void queryClient.invalidateQueries({ predicate: ({ queryKey }) => queryKey[0] !== 'bulk' });
    if (notDone.length === 0) close();
    else setFailed(notDone);
  };
  return (
    <Dialog title={texts.bulk.title[name](ids.length)} isSticky={isRunning}>
      <Stack component="form" onSubmit={submit} onKeyDown={onSubmitKey(submit)}>
        {name === 'refund' ? (
          <UnitsChoice choices={texts.bulk.choices} units={units} onChange={setUnits} />
        ) : null}
        {previews === undefined ? (
          <Steps text={formTexts.steps.checked(done, ids.length)} share={done / ids.length} />
        ) : (
          <output className="preview" data-stale={isPlaceholderData}>
            <Facts facts={toFacts(name, chosen, orders)} />
          </output>
        )}
        <WithOpen previews={withOpen} isTaken={takesOpen} setTaken={setTakesOpen} />
        <Problems tried={failed.length > 0 ? failed : (previews ?? [])} />
        <ReasonField
          reason={reason}
          setReason={setReason}
          error={isChecked && reason.trim() === '' ? common.reasonMissing : undefined}
        />
        {chosen.length > 0 ? (
          <AmountField
            amount={wanted}
            typed={typed}
            setTyped={setTyped}
            error={isChecked ? typedProblem : undefined}
          />
        ) : null}
        {isRunning ? (
          <Steps text={formTexts.steps.done(done, chosen.length)} share={done / chosen.length} />
        ) : null}
        <FormButtons
          isSending={isRunning}
          isDisabled={chosen.length === 0}
          isDangerous={name === 'refund'}
          stopping={stopping}
        >
          {name === 'refund' ? refundText(chosen) : texts.bulk.title[name](chosen.length)}
        </FormButtons>
      </Stack>
    </Dialog>
  );
}

function refundText(previews: readonly Preview[]): string {
  const sumIf = (isAsked: boolean) =>
    computeSum(previews.filter(({ isWaiting = false }) => isWaiting === isAsked).map(({ amount }) => amount));
  const [now, asked] = [sumIf(false), sumIf(true)];
  const isAny = (isAsked: boolean) => previews.some(({ isWaiting = false }) => isWaiting === isAsked);
  if (!isAny(true)) return texts.bulk.refund(formatMoney(now));
  if (!isAny(false)) return formTexts.action.approval(formatMoney(asked));
  return texts.bulk.refundAndAsk(formatMoney(now), formatMoney(asked));
}

function toFacts(name: BulkName, previews: readonly Preview[], all: readonly Order[]) {
  const ids = new Set(previews.map(({ id }) => id));
  const orders = all.filter(({ id }) => ids.has(id));
  const accounts = [...new Set(orders.map(({ accountName }) => accountName))];
  const oldest = orders.map(({ createdAt }) => createdAt).toSorted()[0];
  const waiting = countWaiting(previews);
  const sum = computeSum(previews.map(({ amount }) => amount));
  return {
    [texts.bulk.possible]: formatCount(previews.length),
    [common.units]: formatCount(orders.reduce((count, order) => count + computeUnits(order), 0)),
    [texts.bulk.value]: orders.length === 0 ? null : computeSums(orders),
    [texts.bulk.accounts]: accounts.length === 0 ? null : toNames(accounts),
    [texts.bulk.oldest]: oldest === undefined ? null : <Time at={oldest} />,
    ...(name === 'refund' ? { [texts.bulk.sum]: formatMoney(sum), ...listMoved(previews) } : {}),
    [texts.bulk.waiting]: waiting > 0 ? formatCount(waiting) : null,
  };
}

function listMoved(previews: readonly Preview[]): Record<string, string> {
  const counts = MOVED.map((where) => {
    const count = previews.reduce((sum, { moved }) => sum + (moved[where] ?? 0), 0);
    return [common.movedUnits[where], count] as const;
  });
  return Object.fromEntries(counts.flatMap(([name, count]) => (count > 0 ? [[name, String(count)]] : [])));
}

/** Orders that are left out because a request about them waits for approval, unless the operator takes them too. */
function WithOpen(props: {
  readonly previews: readonly Preview[];
  readonly isTaken: boolean;
  readonly setTaken: (isTaken: boolean) => void;
}) {
  const { previews, isTaken, setTaken } = props;
  if (previews.length === 0) return null;
  const requests = previews.flatMap(({ id, open }) => open.map((approval) => ({ id, approval })));
  return (
    <Alert color="warn" icon={<Icon name="approvals" />}>
      <p>{texts.bulk.leftOut(previews.length)}</p>
      <ul className="rows">
        {requests.slice(0, PROBLEMS_MAX).map(({ id, approval }) => (
          <li key={approval.id}>
            <OrderId id={id} /> <OpenApprovalText approval={approval} /> <ReviewLink id={approval.id} />
          </li>
        ))}
        {requests.length > PROBLEMS_MAX ? <li>{common.others(requests.length - PROBLEMS_MAX)}</li> : null}
      </ul>
      <Checkbox
        label={texts.bulk.takeOpen(previews.length)}
        checked={isTaken}
        onChange={({ currentTarget }) => setTaken(currentTarget.checked)}
      />
    </Alert>
  );
}

function Problems({ tried }: { readonly tried: readonly Tried[] }) {
  const bad = tried.filter(({ problem }) => problem !== undefined);
  if (bad.length === 0) return null;
  return (
    <Box component="ul" className="problems" c="var(--bad)" role="alert">
      {bad.slice(0, PROBLEMS_MAX).map(({ id, problem }) => (
        <li key={id}>
          <OrderId id={id} /> {problem}
        </li>
      ))}
      {bad.length > PROBLEMS_MAX ? <li>{common.others(bad.length - PROBLEMS_MAX)}</li> : null}
    </Box>
  );
}

/** `keep` sends nothing for the units of a refund. */
function toInput(name: BulkName, orderId: string, reason: string, units: RefundedUnits) {
  return { params: { orderId }, body: { reason, ...(name === 'refund' ? unitsToSend(units) : {}) } };
}

async function previewOne(name: BulkName, id: string, units: RefundedUnits): Promise<Preview> {
  try {
    const { preview, etag } = await admin.preview(OPERATIONS[name], toInput(name, id, 'preview', units));
    const { amount, needsApproval, units: moved } = preview;
    const open = openApprovalsIn(preview);
    return { id, amount, etag: etag || undefined, isWaiting: needsApproval, units, moved, open };
  } catch (error) {
    // Either a key was read, or the order cannot be refunded: the second preview shows which.
    const isConflict = error instanceof KeyportError && error.status === 409;
    if (name === 'refund' && units === 'return' && isConflict) return previewOne(name, id, 'keep');
    return { id, amount: '0.00', etag: undefined, problem: toMessage(error), units, moved: {}, open: [] };
  }
}

async function sendOne(
  name: BulkName,
  { id, etag, units }: Preview,
  reason: string,
  idempotencyKey: string,
): Promise<Tried> {
  try {
    const call = admin.call(OPERATIONS[name], toInput(name, id, reason, units), {
      idempotencyKey,
      ifMatch: etag,
    });
    return { id, isWaiting: (await call.withResponse()).response.status === 202 };
  } catch (error) {
    return { id, problem: toMessage(error), isRejected: !isUnknownOutcome(error) };
  }
}

function countWaiting(tried: readonly Tried[]): number {
  return tried.filter(({ isWaiting }) => isWaiting).length;
}
