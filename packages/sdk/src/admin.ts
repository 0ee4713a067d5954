/**
 * The client for operators: a method for every operation of the operator interface; imports are streamed with
 * `fetch`.
 *
 * @packageDocumentation
 */
// biome-ignore-all lint/performance/noBarrelFile: the entry of a published package

import { OPERATOR_OPERATIONS, type OperatorOperations } from './generated/operator-contract.ts';
import type { OperatorMethods } from './generated/operator-methods.ts';
import type { WritePreview } from './generated/reseller-contract.ts';
import { OperationsClient } from './operations.ts';
import type { OperatorInput, OperatorOperation, OperatorPreviewed, Previewed } from './operator-types.ts';
import type { CallOptions, KeyportOptions } from './options.ts';

export { type AnswerBody, BaseClient, type RequestInput } from './client.ts';
export type * from './generated/operator-contract.ts';
export type * from './generated/operator-methods.ts';
export type { WritePreview } from './generated/reseller-contract.ts';
export * from './operations.ts';
export type * from './operator-types.ts';
export type { CallOptions, KeyportOptions, ReceivedResponse, SentRequest } from './options.ts';
export { type Answered, Call } from './requests/call.ts';
export * from './requests/errors.ts';
export type { StreamInit } from './requests/transport.ts';

export interface KeyportAdmin extends OperatorMethods {}

/**
 * A client for operators, with a method for each operation.
 *
 * @example
 * ```ts
 * import { KeyportAdmin } from '@keyport/sdk/admin';
 *
 * const admin = new KeyportAdmin({ baseUrl, clientId, clientSecret });
 * const account = await admin.createAccount({ body: { name: 'Acme Games', paymentMethod: 'balance' } });
 * await admin.createDeposit({ params: { accountId: account.id }, body: { amount: '250.00', reference: 'bank-7' } });
 * for await (const order of admin.all('listAllOrders', { query: { status: 'held' } })) console.log(order.id);
 * ```
 */
// biome-ignore lint/suspicious/noUnsafeDeclarationMerging: see above
export class KeyportAdmin extends OperationsClient<OperatorOperations> {
  constructor(options: KeyportOptions) {
    super(options, OPERATOR_OPERATIONS);
  }

  /**
   * Shows what a write would book and move, without writing.
   *
   * @example
   * ```ts
   * const refund = { params: { orderId }, body: { reason: 'Bad key', items: [{ id: itemId, quantity: 1 }] } };
   * const { preview, etag } = await admin.preview('refundOrder', refund);
   * if (preview.amount === '12.30') await admin.refundOrder(refund, { ifMatch: etag });
   * ```
   */
  async preview<Name extends OperatorPreviewed>(
    name: Name,
    input: OperatorInput<Name>,
    options?: CallOptions,
  ): Promise<Previewed> {
    const { body, ...parts } = input as unknown as { readonly body?: object };
    const dry = { ...parts, body: { ...body, dryRun: true } } as unknown as OperatorInput<Name>;
    const { data, response } = await this.call(name, dry, options).withResponse();
    return { preview: data as unknown as WritePreview, etag: response.headers.get('etag') ?? '' };
  }
}

for (const name of Object.keys(OPERATOR_OPERATIONS) as OperatorOperation[]) {
  Object.defineProperty(KeyportAdmin.prototype, name, {
    value(this: KeyportAdmin, input: never, options?: CallOptions) {
      return this.call(name, input ?? {}, options);
    },
  });
}
