/**
 * One action for several rows: a dry run of each, then a request for each, four at a time. Those that fail stay selected, as
 * do those left out because a request about them waits for approval.
 */
import { Alert, Box, Checkbox, Stack } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { type FormEvent, type ReactNode, useState } from 'react';
import { fourAtOnce, queryClient } from '../api/queries.ts';
import { newUuid } from '../api/uuid.ts';
import {
  AmountField,
  FormButtons,
  findTypedProblem,
  isWithin,
  onSubmitKey,
  REASON_MAX,
  ReasonField,
} from '../forms/action-dialog.tsx';
import { useClose } from '../forms/closing.tsx';
import { Dialog } from '../forms/dialog.tsx';
import { Steps } from '../forms/steps.tsx';
import { useStopping } from '../forms/stopping.ts';
import { texts as formTexts } from '../forms/texts.ts';
import { isUnknownOutcome } from '../forms/use-action.ts';
import { common } from '../texts.ts';
import { Icon } from '../ui/icons.tsx';
import { Facts, type FactsOf } from '../ui/page.tsx';
import { toast } from '../ui/toasts.tsx';
import { toMessage } from '../ui/wording.ts';
import { type OpenApproval, OpenApprovalText, ReviewLink } from './open-approvals.tsx';

const PROBLEMS_MAX = 20;

/** The effects that a request would have. */
export type Plan = {
  readonly amount: string;
  readonly etag: string | undefined;
  readonly isWaiting?: boolean;
  /** The requests about the same thing that wait for approval. */
  readonly open?: readonly OpenApproval[];
};

type Tried = {
  readonly id: string;
  readonly problem?: string;
  /** The service rejected the request and changed nothing. */
  readonly isRejected?: boolean;
  readonly isWaiting?: boolean;
};
type Planned<Own> = Tried & { readonly plan?: Own };
export type Ready<Own> = Tried & { readonly plan: Own };

export type BulkAction<Own extends Plan> = {
  /** Identifies the action and its choices. */
  readonly key: readonly unknown[];
  readonly title: (count: number) => string;
  readonly name: (id: string) => ReactNode;
  readonly preview: (id: string) => Promise<Own>;
  readonly send: (
    ready: Ready<Own>,
    reason: string,
    options: { readonly idempotencyKey: string; readonly ifMatch: string | undefined },
  ) => Promise<{ readonly response: { readonly status: number } }>;
  readonly toFacts: (ready: readonly Ready<Own>[]) => FactsOf;
  /** The text that the operator types; by default, the number of rows. */
  readonly toTyped?: (ready: readonly Ready<Own>[]) => string;
  readonly submit?: (ready: readonly Ready<Own>[]) => string;
  readonly done: (done: number, waiting: number) => string;
  readonly stopped: (done: number, left: number) => string;
  readonly leftOut?: { readonly says: (count: number) => string; readonly take: (count: number) => string };
  readonly isDangerous?: boolean;
  readonly reason?: 'required' | 'optional';
};

export function BulkDialog<Own extends Plan>(props: {
  readonly action: BulkAction<Own>;
  readonly ids: readonly string[];
  readonly onFailed: (ids: readonly string[]) => void;
  /** The choices of the action. */
  readonly children?: ReactNode;
}) {
  const { action, ids, onFailed, children } = props;
  const close = useClose();
  const [done, setDone] = useState(0);
  const { data: previews, isPlaceholderData } = useQuery({
    queryKey: ['bulk', ...action.key, ids],
    gcTime: 0,
    staleTime: 0,
    refetchOnWindowFocus: false,
    queryFn: ({ signal }) => fourAtOnce(ids, (id) => planOne(action, id), setDone, signal),
  });
  const [keys] = useState(() => new Map(ids.map((id) => [id, newUuid()])));
  const [reason, setReason] = useState('');
  const [typed, setTyped] = useState('');
  const [isChecked, setChecked] = useState(false);
  const [takesOpen, setTakesOpen] = useState(false);
  const stopping = useStopping();
  const { isRunning } = stopping;
  const [failed, setFailed] = useState<readonly Tried[]>([]);
  const possible = previews?.filter(isReadyToSend) ?? [];
  const hasOpen = ({ plan: { open = [] } }: Ready<Own>) => open.length > 0;
  const chosen = takesOpen ? possible : possible.filter((one) => !hasOpen(one));
  const wanted = (action.toTyped ?? (({ length }) => String(length)))(chosen);
  const typedProblem = findTypedProblem(typed, wanted);
  const hasReason = action.reason !== 'required' || isWithin(reason.trim(), 1, REASON_MAX);
  const isReady = !isPlaceholderData && hasReason && chosen.length > 0 && typedProblem === undefined;
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    setChecked(true);
    if (!isReady || isRunning) return;
    const sent = await stopping.run((stop) =>
      fourAtOnce(
        chosen,
        (one) => sendOne(action, one, reason.trim(), keys.get(one.id) ?? newUuid()),
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
    if (sent.length < chosen.length) toast(action.stopped(succeeded.size, left.length));
    else if (succeeded.size > 0) toast(action.done(succeeded.size - waiting, waiting));
    void queryClient.invalidateQueries({ predicate: ({ queryKey }) => queryKey[0] !== 'bulk' });
    if (notDone.length === 0) close();
    else setFailed(notDone);
  };
  return (
    <Dialog title={action.title(ids.length)} isSticky={isRunning}>
      <Stack component="form" onSubmit={submit} onKeyDown={onSubmitKey(submit)}>
        {children}
        {previews === undefined ? (
          <Steps text={formTexts.steps.checked(done, ids.length)} share={done / ids.length} />
        ) : (
          <output className="preview" data-stale={isPlaceholderData}>
            <Facts facts={action.toFacts(chosen)} />
          </output>
        )}
        <WithOpen
          action={action}
          ready={possible.filter(hasOpen)}
          isTaken={takesOpen}
          setTaken={setTakesOpen}
        />
        <Problems action={action} tried={failed.length > 0 ? failed : (previews ?? [])} />
        {action.reason === undefined ? null : (
          <ReasonField
            reason={reason}
            setReason={setReason}
            error={isChecked && !hasReason ? common.reasonMissing : undefined}
          />
        )}
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
          isDangerous={action.isDangerous ?? false}
          stopping={stopping}
        >
          {action.submit?.(chosen) ?? action.title(chosen.length)}
        </FormButtons>
      </Stack>
    </Dialog>
  );
}

type OfAction<Own extends Plan> = { readonly action: BulkAction<Own> };

/** Rows that are left out because a request about them waits for approval, unless the operator takes them too. */
function WithOpen<Own extends Plan>(
  props: OfAction<Own> & {
    readonly ready: readonly Ready<Own>[];
    readonly isTaken: boolean;
    readonly setTaken: (isTaken: boolean) => void;
  },
) {
  const { action, ready, isTaken, setTaken } = props;
  const { leftOut } = action;
  if (ready.length === 0 || leftOut === undefined) return null;
  const requests = ready.flatMap(({ id, plan: { open = [] } }) => open.map((approval) => ({ id, approval })));
  return (
    <Alert color="warn" icon={<Icon name="approvals" />}>
      <p>{leftOut.says(ready.length)}</p>
      <ul className="rows">
        {requests.slice(0, PROBLEMS_MAX).map(({ id, approval }) => (
          <li key={approval.id}>
            {action.name(id)} <OpenApprovalText approval={approval} /> <ReviewLink id={approval.id} />
          </li>
        ))}
        {requests.length > PROBLEMS_MAX ? <li>{common.others(requests.length - PROBLEMS_MAX)}</li> : null}
      </ul>
      <Checkbox
        label={leftOut.take(ready.length)}
        checked={isTaken}
        onChange={({ currentTarget }) => setTaken(currentTarget.checked)}
      />
    </Alert>
  );
}

function Problems<Own extends Plan>({ action, tried }: OfAction<Own> & { readonly tried: readonly Tried[] }) {
  const bad = tried.filter(({ problem }) => problem !== undefined);
  if (bad.length === 0) return null;
  return (
    <Box component="ul" className="problems" c="var(--bad)" role="alert">
      {bad.slice(0, PROBLEMS_MAX).map(({ id, problem }) => (
        <li key={id}>
          {action.name(id)} {problem}
        </li>
      ))}
      {bad.length > PROBLEMS_MAX ? <li>{common.others(bad.length - PROBLEMS_MAX)}</li> : null}
    </Box>
  );
}

function isReadyToSend<Own>(one: Planned<Own>): one is Ready<Own> {
  return one.plan !== undefined;
}

async function planOne<Own extends Plan>(action: BulkAction<Own>, id: string): Promise<Planned<Own>> {
  try {
    const plan = await action.preview(id);
    return { id, plan, isWaiting: plan.isWaiting ?? false };
  } catch (error) {
    return { id, problem: toMessage(error) };
  }
}

async function sendOne<Own extends Plan>(
  action: BulkAction<Own>,
  ready: Ready<Own>,
  reason: string,
  idempotencyKey: string,
): Promise<Tried> {
  const { id } = ready;
  try {
    const { response } = await action.send(ready, reason, { idempotencyKey, ifMatch: ready.plan.etag });
    return { id, isWaiting: response.status === 202 };
  } catch (error) {
    return { id, problem: toMessage(error), isRejected: !isUnknownOutcome(error) };
  }
}

export function countWaiting(tried: readonly Tried[]): number {
  return tried.filter(({ isWaiting }) => isWaiting).length;
}
