/** What resellers do in the sandbox in place of the marketplace, the payment provider and time. */
import { OrderReason } from '../orders/operator-orders.ts';
import { Order } from '../orders/orders.ts';
import { SandboxRefundBody } from '../orders/refunds.ts';
import {
  AdvanceBody,
  Checkup,
  CheckupQuery,
  SandboxAccount,
  SandboxAccountBody,
  SandboxOffer,
  SandboxOfferBody,
  SettleBody,
} from '../sandbox/sandbox.ts';
import { ok, rowsByMethod, rowsOf } from './builders.ts';

const COMMON = { audience: 'reseller', budget: 'none', tag: 'Sandbox', isSandboxOnly: true } as const;
const sandbox = rowsByMethod(COMMON);
const orderAction = rowsOf(
  {
    ...COMMON,
    method: 'POST',
    idempotency: 'accepted',
    body: OrderReason,
    responses: ok(Order),
    errors: ['conflict'],
  },
  'not-found',
);

export const SANDBOX_OPERATIONS = {
  holdSandboxOrder: orderAction('/sandbox/v1/orders/{orderId}/hold', {
    summary: 'Hold an order, as the marketplace would',
    description: 'From pending, pending_payment or processing.',
  }),
  releaseSandboxOrder: orderAction('/sandbox/v1/orders/{orderId}/release', {
    summary: 'Release a held order, as the marketplace would',
    description: 'It goes back to where it came from and on from there.',
  }),
  cancelSandboxOrder: orderAction('/sandbox/v1/orders/{orderId}/cancel', {
    summary: 'Cancel an unpaid order, as the marketplace would',
    description: 'Its units go back to stock. An order that is paid is refunded instead.',
  }),
  refundSandboxOrder: orderAction('/sandbox/v1/orders/{orderId}/refund', {
    summary: 'Refund an order, whole or in part, as the marketplace would',
    description: 'Before delivery only whole.',
    body: SandboxRefundBody,
  }),
  settleSandboxOrder: orderAction('/sandbox/v1/orders/{orderId}/settle', {
    summary: 'Let the payment provider answer for an order that waits for its payment',
    description: 'Paid: the money is taken and the order goes on. Declined: the order is canceled.',
    body: SettleBody,
  }),
  advanceSandboxOrder: sandbox.unkeyed('/sandbox/v1/orders/{orderId}/advance', {
    summary: 'Let time pass for an order',
    description:
      'Its times move into the past; then everything happens that was due by then: an unpaid order is given up, the time to read keys ends.',
    body: AdvanceBody,
    responses: ok(Order),
    errors: ['conflict'],
  }),
  updateSandboxAccount: sandbox.patch('/sandbox/v1/account', {
    summary: 'Change your account',
    description:
      'Only the fields that are given change; null takes a value away. A new balance is booked as an adjustment.',
    body: SandboxAccountBody,
    responses: ok(SandboxAccount),
    errors: ['conflict'],
  }),
  updateSandboxOffer: sandbox.patch('/sandbox/v1/offers/{offerId}', {
    summary: "Change an offer's price or status, or add keys to it",
    description: 'The catalogue is one: every reseller of this sandbox sees the change.',
    body: SandboxOfferBody,
    responses: ok(SandboxOffer),
  }),
  getCheckup: sandbox.read('/sandbox/v1/checkup', {
    summary: 'Get a judgement of your client',
    description:
      'What the service saw of this client, judged: whether it retries orders safely, waits when it is asked to, reuses its tokens, reads keys in time and follows the catalogue by its changes. Failed checks say when and where.',
    query: CheckupQuery,
    responses: ok(Checkup),
  }),
} as const;
