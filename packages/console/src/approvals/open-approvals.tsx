/** The requests about an order or account that wait for approval, as a preview of another write names them. */
import type { WritePreview } from '@keyport/sdk/admin';
import { common } from '../texts.ts';
import { Person } from '../ui/person.tsx';
import { formatMoney, Link, Time } from '../ui/values.tsx';
import { paths } from '../url.ts';
import { texts } from './texts.ts';

export type OpenApproval = NonNullable<WritePreview['openApprovals']>[number];

/** Any preview: those of other writes name none. */
export function openApprovalsIn(preview: unknown): readonly OpenApproval[] {
  const { openApprovals = [] }: { readonly openApprovals?: readonly OpenApproval[] } = Object(preview);
  return openApprovals;
}

export function OpenApprovalText({ approval }: { readonly approval: Omit<OpenApproval, 'id'> }) {
  const { operation, amount, requestedBy, requestedAt } = approval;
  return (
    <>
      {texts.waits(texts.operations[operation] ?? operation, formatMoney(amount))} <Person id={requestedBy} />
      , <Time at={requestedAt} />.
    </>
  );
}

export function ReviewLink({ id }: Pick<OpenApproval, 'id'>) {
  return <Link to={paths.approval(id)}>{common.review}</Link>;
}
