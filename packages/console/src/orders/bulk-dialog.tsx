/** One action for several orders: a dry run of each with the sum, then a request for each. Those that fail stay selected, with the reason. */

import { type KeyportAdmin, KeyportError } from '@keyport/sdk/admin';
import { Button, Modal, Textarea, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { admin, adminIf } from '../api/admin.ts';
import { queryClient } from '../api/queries.ts';
import { newUuid } from '../api/uuid.ts';
import { texts } from '../texts.ts';
import { Facts } from '../ui/page.tsx';
import { Loading, messageOf } from '../ui/states.tsx';
import { toast } from '../ui/toasts.tsx';
import { formatMoney, OrderId } from '../ui/values.tsx';
import type { WritePreview } from '../ui/write-preview.tsx';
import { type RefundedUnits, UnitsChoice, unitsToSend } from './refund-dialog.tsx';

export type BulkName = 'release' | 'hold' | 'refund';

const OPERATIONS = { release: 'releaseOrder', hold: 'holdOrder', refund: 'refundOrder' } as const;
const AT_ONCE = 4;
const MOVED = ['returned', 'kept', 'withdrawn'] as const;

type Tried = {
  readonly id: string;
  readonly problem?: string;
  /** By the service, which has done nothing. */
  readonly isRejected?: boolean;
  /** For the approval of a second person. */
  readonly isWaiting?: boolean;
};
type Preview = Tried & {
  readonly amount: string;
  readonly etag: string | null;
  /** The units of a refund, by where they go. */
  readonly units: RefundedUnits;
  readonly moved: Partial<WritePreview['units']>;
};

export function BulkDialog(props: {
  readonly name: BulkName;
  readonly ids: readonly string[];
  readonly onFailed: (ids: readonly string[]) => void;
  readonly onClose: () => void;
}) {
  const { name, ids, onFailed, onClose } = props;
  const [units, setUnits] = useState<RefundedUnits>('return');
  const { data: previews, isPlaceholderData } = useQuery({
    queryKey: ['bulk', name, ids, units],
    gcTime: 0,
    staleTime: 0,
    refetchOnWindowFocus: false,
    queryFn: () => fourAtOnce(ids, (id) => previewOne(name, id, units)),
  });
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
    (name !== 'refund' || typed.trim() === sum);
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    setChecked(true);
    if (!isReady || isSending) return;
    setSending(true);
    const tried = await fourAtOnce(possible, (one) =>
      sendOne(name, one, reason.trim(), keys.get(one.id) ?? newUuid()),
    );
    setSending(false);
    // A definite rejection is stored under its key; the next try is another request.
    for (const { id, isRejected = false } of tried) if (isRejected) keys.set(id, newUuid());
    const notDone = tried.filter(({ problem }) => problem !== undefined);
    const skipped = previews?.filter(({ problem }) => problem !== undefined) ?? [];
    onFailed([...notDone, ...skipped].map(({ id }) => id));
    const waiting = countWaiting(tried);
    if (tried.length > notDone.length)
      toast(texts.bulk.done(name, tried.length - notDone.length - waiting, waiting));
    void queryClient.invalidateQueries({ predicate: ({ queryKey }) => queryKey[0] !== 'bulk' });
    if (notDone.length === 0) onClose();
    else setFailed(notDone);
  };
  return (
    <Modal.Root opened onClose={onClose} centered transitionProps={{ duration: 0 }}>
      <Modal.Overlay backgroundOpacity={0.4} />
      <Modal.Content>
        <Modal.Header role="presentation">
          <Modal.Title>{texts.bulk.title[name](ids.length)}</Modal.Title>
          <Modal.CloseButton aria-label={texts.panel.close} />
        </Modal.Header>
        <Modal.Body>
          <form
            className="action"
            onSubmit={submit}
            onKeyDown={(event) => {
              if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) void submit(event);
            }}
          >
            {name === 'refund' ? (
              <UnitsChoice choices={texts.bulk.choices} units={units} onChange={setUnits} />
            ) : null}
            {previews === undefined ? (
              <Loading rows={2} />
            ) : (
              <output className="preview" data-stale={isPlaceholderData}>
                <Facts
                  facts={[
                    [texts.bulk.possible, String(possible.length)],
                    ...(name === 'refund' ? ([[texts.bulk.sum, formatMoney(sum)]] as const) : []),
                    ...MOVED.flatMap((where) => {
                      const count = possible.reduce((sum, { moved }) => sum + (moved[where] ?? 0), 0);
                      return name === 'refund' && count > 0
                        ? [[texts.preview.units[where], String(count)] as const]
                        : [];
                    }),
                    ...(waiting > 0 ? ([[texts.bulk.waiting, String(waiting)]] as const) : []),
                  ]}
                />
              </output>
            )}
            <Problems tried={failed.length > 0 ? failed : (previews ?? [])} />
            <Textarea
              label={texts.action.reason}
              description={texts.action.reasonHint}
              data-autofocus
              maxLength={500}
              value={reason}
              error={isChecked && reason.trim() === '' ? texts.action.reasonMissing : undefined}
              onChange={({ currentTarget }) => setReason(currentTarget.value)}
            />
            {name === 'refund' && possible.length > 0 ? (
              <TextInput
                label={texts.action.typeAmount(sum)}
                value={typed}
                error={isChecked && typed.trim() !== sum ? texts.action.typeAmountWrong(sum) : undefined}
                onChange={({ currentTarget }) => setTyped(currentTarget.value)}
              />
            ) : null}
            <div className="buttons">
              <Button variant="default" onClick={onClose}>
                {texts.action.keep}
              </Button>
              <Button
                type="submit"
                loading={isSending}
                disabled={possible.length === 0}
                className={name === 'refund' ? 'danger' : ''}
              >
                {name === 'refund'
                  ? texts.bulk.refund(formatMoney(sum))
                  : texts.bulk.title[name](possible.length)}
              </Button>
            </div>
          </form>
        </Modal.Body>
      </Modal.Content>
    </Modal.Root>
  );
}

function Problems({ tried }: { readonly tried: readonly Tried[] }) {
  const bad = tried.filter(({ problem }) => problem !== undefined);
  if (bad.length === 0) return null;
  return (
    <ul className="problems" role="alert">
      {bad.map(({ id, problem }) => (
        <li key={id}>
          <OrderId id={id} /> {problem}
        </li>
      ))}
    </ul>
  );
}

function write(
  client: KeyportAdmin,
  name: BulkName,
  orderId: string,
  body: { reason: string; dryRun?: true; units: RefundedUnits },
  idempotencyKey?: string,
) {
  const { units, ...rest } = body;
  const sent = name === 'refund' ? { ...rest, ...unitsToSend(units) } : rest;
  return client
    .call(OPERATIONS[name], { params: { orderId }, body: sent }, { idempotencyKey })
    .withResponse();
}

async function previewOne(name: BulkName, id: string, units: RefundedUnits): Promise<Preview> {
  try {
    const { data, response } = await write(admin, name, id, { reason: 'preview', dryRun: true, units });
    const { amount, needsApproval, units: moved } = data as unknown as WritePreview;
    return { id, amount, etag: response.headers.get('etag'), isWaiting: needsApproval, units, moved };
  } catch (error) {
    // A key was read, or it cannot be refunded at all: the second preview says which.
    const isConflict = error instanceof KeyportError && error.status === 409;
    if (name === 'refund' && units === 'return' && isConflict) return previewOne(name, id, 'keep');
    return { id, amount: '0.00', etag: null, problem: messageOf(error), units, moved: {} };
  }
}

async function sendOne(
  name: BulkName,
  { id, etag, units }: Preview,
  reason: string,
  key: string,
): Promise<Tried> {
  try {
    const { response } = await write(etag === null ? admin : adminIf(etag), name, id, { reason, units }, key);
    return { id, isWaiting: response.status === 202 };
  } catch (error) {
    const isRejected = error instanceof KeyportError && error.status < 500 && error.status !== 401;
    return { id, problem: messageOf(error), isRejected };
  }
}

async function fourAtOnce<In, Out>(all: readonly In[], work: (one: In) => Promise<Out>): Promise<Out[]> {
  const results: Out[] = [];
  const left = [...all.entries()];
  const run = async () => {
    for (let next = left.shift(); next !== undefined; next = left.shift())
      results[next[0]] = await work(next[1]);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, run));
  return results;
}

function countWaiting(tried: readonly Tried[]): number {
  return tried.filter(({ isWaiting }) => isWaiting).length;
}

/** Exact, in cents: all of them are in EUR. */
function sumOf(amounts: readonly string[]): string {
  const cents = amounts.reduce((sum, amount) => sum + BigInt(amount.replace('.', '')), 0n);
  const digits = String(cents).padStart(3, '0');
  return `${digits.slice(0, -2)}.${digits.slice(-2)}`;
}
