/**
 * One action for several orders: a dry run of each, then a request for each. Those that fail stay selected.
 */
import { KeyportError, type WritePreview } from '@keyport/sdk/admin';
import { useQuery } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { admin, fourAtOnce, queryClient } from '../api/queries.ts';
import { newUuid } from '../api/uuid.ts';
import { AmountField, FormButtons, onSubmitKey, ReasonField } from '../forms/action-dialog.tsx';
import { readAmount } from '../forms/amounts.ts';
import { useClose } from '../forms/closing.tsx';
import { Dialog } from '../forms/dialog.tsx';
import { Steps } from '../forms/steps.tsx';
import { texts as formTexts } from '../forms/texts.ts';
import { isUnknownOutcome } from '../forms/use-action.ts';
import { common } from '../texts.ts';
import { Facts, messageOf } from '../ui/page.tsx';
import { toast } from '../ui/toasts.tsx';
import { formatMoney, OrderId } from '../ui/values.tsx';
import { sumOf } from './order-data.ts';
import { type RefundedUnits, UnitsChoice, unitsToSend } from './refund-dialog.tsx';
import { texts } from './texts.ts';

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
};

export function BulkDialog(props: {
  readonly name: BulkName;
  readonly ids: readonly string[];
  readonly onFailed: (ids: readonly string[]) => void;
}) {
  const { name, ids, onFailed } = props;
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
  const [isSending, setSending] = useState(false);
  const [failed, setFailed] = useState<readonly Tried[]>([]);
  const possible = previews?.filter(({ problem }) => problem === undefined) ?? [];
  const waiting = countWaiting(possible);
  const sum = sumOf(possible.map(({ amount }) => amount));
  const isReady =
    !isPlaceholderData &&
    reason.trim() !== '' &&
    possible.length > 0 &&
    (name !== 'refund' || readAmount(typed) === sum);
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    setChecked(true);
    if (!isReady || isSending) return;
    setSending(true);
    const tried = await fourAtOnce(
      possible,
      (one) => sendOne(name, one, reason.trim(), keys.get(one.id) ?? newUuid()),
      setDone,
    );
    setSending(false);
    // A definite rejection is stored under its key, so the next attempt needs a new key.
    for (const { id, isRejected = false } of tried) if (isRejected) keys.set(id, newUuid());
    const notDone = tried.filter(({ problem }) => problem !== undefined);
    const skipped = previews?.filter(({ problem }) => problem !== undefined) ?? [];
    onFailed([...notDone, ...skipped].map(({ id }) => id));
    const waiting = countWaiting(tried);
    if (tried.length > notDone.length)
      toast(texts.bulk.done(name, tried.length - notDone.length - waiting, waiting));
    void queryClient.invalidateQueries({ predicate: ({ queryKey }) => queryKey[0] !== 'bulk' });
    if (notDone.length === 0) close();
    else setFailed(notDone);
  };
  return (
    <Dialog title={texts.bulk.title[name](ids.length)}>
      <form className="action" onSubmit={submit} onKeyDown={onSubmitKey(submit)}>
        {name === 'refund' ? (
          <UnitsChoice choices={texts.bulk.choices} units={units} onChange={setUnits} />
        ) : null}
        {previews === undefined ? (
          <Steps text={formTexts.steps.checked(done, ids.length)} share={done / ids.length} />
        ) : (
          <output className="preview" data-stale={isPlaceholderData}>
            <Facts
              facts={{
                [texts.bulk.possible]: String(possible.length),
                ...(name === 'refund' ? { [texts.bulk.sum]: formatMoney(sum), ...movedOf(possible) } : {}),
                [texts.bulk.waiting]: waiting > 0 ? String(waiting) : null,
              }}
            />
          </output>
        )}
        <Problems tried={failed.length > 0 ? failed : (previews ?? [])} />
        <ReasonField
          reason={reason}
          setReason={setReason}
          error={isChecked && reason.trim() === '' ? common.reasonMissing : undefined}
        />
        {name === 'refund' && possible.length > 0 ? (
          <AmountField
            amount={sum}
            typed={typed}
            setTyped={setTyped}
            error={isChecked && readAmount(typed) !== sum ? common.typeAmountWrong(sum) : undefined}
          />
        ) : null}
        {isSending ? (
          <Steps text={formTexts.steps.done(done, possible.length)} share={done / possible.length} />
        ) : null}
        <FormButtons isSending={isSending} isDisabled={possible.length === 0} isDangerous={name === 'refund'}>
          {name === 'refund' ? texts.bulk.refund(formatMoney(sum)) : texts.bulk.title[name](possible.length)}
        </FormButtons>
      </form>
    </Dialog>
  );
}

function movedOf(previews: readonly Preview[]): Record<string, string> {
  const counts = MOVED.map((where) => {
    const count = previews.reduce((sum, { moved }) => sum + (moved[where] ?? 0), 0);
    return [common.movedUnits[where], count] as const;
  });
  return Object.fromEntries(counts.flatMap(([name, count]) => (count > 0 ? [[name, String(count)]] : [])));
}

function Problems({ tried }: { readonly tried: readonly Tried[] }) {
  const bad = tried.filter(({ problem }) => problem !== undefined);
  if (bad.length === 0) return null;
  return (
    <ul className="problems" role="alert">
      {bad.slice(0, PROBLEMS_MAX).map(({ id, problem }) => (
        <li key={id}>
          <OrderId id={id} /> {problem}
        </li>
      ))}
      {bad.length > PROBLEMS_MAX ? <li>{common.others(bad.length - PROBLEMS_MAX)}</li> : null}
    </ul>
  );
}

/** `keep` sends nothing for the units of a refund. */
function inputOf(name: BulkName, orderId: string, reason: string, units: RefundedUnits) {
  return { params: { orderId }, body: { reason, ...(name === 'refund' ? unitsToSend(units) : {}) } };
}

async function previewOne(name: BulkName, id: string, units: RefundedUnits): Promise<Preview> {
  try {
    const { preview, etag } = await admin.preview(OPERATIONS[name], inputOf(name, id, 'preview', units));
    const { amount, needsApproval, units: moved } = preview;
    return { id, amount, etag: etag || undefined, isWaiting: needsApproval, units, moved };
  } catch (error) {
    // Either a key was read, or the order cannot be refunded: the second preview shows which.
    const isConflict = error instanceof KeyportError && error.status === 409;
    if (name === 'refund' && units === 'return' && isConflict) return previewOne(name, id, 'keep');
    return { id, amount: '0.00', etag: undefined, problem: messageOf(error), units, moved: {} };
  }
}

async function sendOne(
  name: BulkName,
  { id, etag, units }: Preview,
  reason: string,
  idempotencyKey: string,
): Promise<Tried> {
  try {
    const call = admin.call(OPERATIONS[name], inputOf(name, id, reason, units), {
      idempotencyKey,
      ifMatch: etag,
    });
    return { id, isWaiting: (await call.withResponse()).response.status === 202 };
  } catch (error) {
    return { id, problem: messageOf(error), isRejected: !isUnknownOutcome(error) };
  }
}

function countWaiting(tried: readonly Tried[]): number {
  return tried.filter(({ isWaiting }) => isWaiting).length;
}
