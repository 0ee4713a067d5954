/** The requests about an order or account that wait for approval, as a preview of another write names them. */
import type { WritePreview } from '@keyport/sdk-source/admin';
import { Alert } from '@mantine/core';
import type { App } from '../app.ts';
import { texts } from '../approvals/texts.ts';
import { texts as formTexts } from '../forms/texts.ts';
import { navigate } from '../places.tsx';
import { common, formatMoney } from '../texts.ts';
import { Icon } from '../ui/icons.tsx';
import { Person } from '../ui/person.tsx';
import { Link, Time } from '../ui/values.tsx';
import { paths } from '../url.ts';

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

/** The requests that may become impossible: all of an order, and bookings that the balance no longer covers. */
function endangeredBy(preview: unknown): readonly OpenApproval[] {
  const { order, balance }: Partial<WritePreview> = Object(preview);
  const open = openApprovalsIn(preview);
  if (order != null || balance == null) return open;
  const bookings = open.filter(
    ({ operation }) => operation === 'createPayout' || operation === 'createAdjustment',
  );
  const wanted = bookings.reduce((sum, { amount }) => sum + Math.abs(Number(amount)), 0);
  const [before, after] = [Number(balance.before), Number(balance.after)];
  return after < before && after < wanted ? bookings : [];
}

/** Requests that wait for approval are decided before a write that may make them impossible. */
export const toFirstApproval: App['toFirst'] = (preview) => {
  const approvals = endangeredBy(preview);
  const [first] = approvals;
  return (
    first && {
      open: () => navigate({ to: paths.approval(first.id) }),
      notice: (
        <Alert color="warn" icon={<Icon name="approvals" />}>
          {approvals.map((approval) => (
            <p key={approval.id}>
              <OpenApprovalText approval={approval} />
            </p>
          ))}
          {formTexts.action.openRequests}
        </Alert>
      ),
    }
  );
};
