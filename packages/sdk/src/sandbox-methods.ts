// Made from the contract by `npm run openapi`. Do not edit.

import type { Call } from './call.ts';
import type { CallOptions } from './options.ts';
import type { AdvanceSandboxOrderBody, CancelSandboxOrderBody, Checkup, GetCheckupQuery, HoldSandboxOrderBody, Order, RefundSandboxOrderBody, ReleaseSandboxOrderBody, SandboxAccount, SandboxOffer, SettleSandboxOrderBody, UpdateSandboxAccountBody, UpdateSandboxOfferBody } from './reseller-contract.ts';
import type { Transport } from './transport.ts';

/** `keyport.sandbox`: what operators, the payment provider and time do, and a judgement of your client. Sandbox only. */
export class Sandbox {
  readonly #transport: Transport;

  /** @internal */
  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /** Hold an order, as the marketplace would. From pending, pending_payment or processing. */
  holdOrder(orderId: string, body: HoldSandboxOrderBody, options?: CallOptions): Call<Order> {
    return this.#transport.call({ method: 'POST', path: `/sandbox/v1/orders/${encodeURIComponent(orderId)}/hold`, body, takesKey: true }, options);
  }

  /** Release a held order, as the marketplace would. It goes back to where it came from and on from there. */
  releaseOrder(orderId: string, body: ReleaseSandboxOrderBody, options?: CallOptions): Call<Order> {
    return this.#transport.call({ method: 'POST', path: `/sandbox/v1/orders/${encodeURIComponent(orderId)}/release`, body, takesKey: true }, options);
  }

  /** Cancel an unpaid order, as the marketplace would. Its units go back to stock. An order that is paid is refunded instead. */
  cancelOrder(orderId: string, body: CancelSandboxOrderBody, options?: CallOptions): Call<Order> {
    return this.#transport.call({ method: 'POST', path: `/sandbox/v1/orders/${encodeURIComponent(orderId)}/cancel`, body, takesKey: true }, options);
  }

  /** Refund an order, whole or in part, as the marketplace would. Before delivery only whole. */
  refundOrder(orderId: string, body: RefundSandboxOrderBody, options?: CallOptions): Call<Order> {
    return this.#transport.call({ method: 'POST', path: `/sandbox/v1/orders/${encodeURIComponent(orderId)}/refund`, body, takesKey: true }, options);
  }

  /** Let the payment provider answer for an order that waits for its payment. Paid: the money is taken and the order goes on. Declined: the order is canceled. */
  settleOrder(orderId: string, body: SettleSandboxOrderBody, options?: CallOptions): Call<Order> {
    return this.#transport.call({ method: 'POST', path: `/sandbox/v1/orders/${encodeURIComponent(orderId)}/settle`, body, takesKey: true }, options);
  }

  /** Let time pass for an order. Its times move into the past; then everything happens that was due by then: an unpaid order is given up, the time to read keys ends. */
  advanceOrder(orderId: string, body: AdvanceSandboxOrderBody, options?: CallOptions): Call<Order> {
    return this.#transport.call({ method: 'POST', path: `/sandbox/v1/orders/${encodeURIComponent(orderId)}/advance`, body }, options);
  }

  /** Change your account. Only the fields that are given change; null takes a value away. A new balance is booked as an adjustment. */
  updateAccount(body: UpdateSandboxAccountBody, options?: CallOptions): Call<SandboxAccount> {
    return this.#transport.call({ method: 'PATCH', path: `/sandbox/v1/account`, body, takesKey: true }, options);
  }

  /** Change an offer's price or status, or add keys to it. The catalogue is one: every reseller of this sandbox sees the change. */
  updateOffer(offerId: string, body: UpdateSandboxOfferBody, options?: CallOptions): Call<SandboxOffer> {
    return this.#transport.call({ method: 'PATCH', path: `/sandbox/v1/offers/${encodeURIComponent(offerId)}`, body, takesKey: true }, options);
  }

  /** Get a judgement of your client. What the service saw of this client, judged: whether it retries orders safely, waits when it is asked to, reuses its tokens, reads keys in time and follows the catalogue by its changes. Failed checks say when and where. */
  checkup(query: GetCheckupQuery = {}, options?: CallOptions): Call<Checkup> {
    return this.#transport.call({ method: 'GET', path: `/sandbox/v1/checkup`, query: { ...query } }, options);
  }
}
