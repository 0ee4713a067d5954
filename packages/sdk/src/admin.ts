/**
 * The client for operators: a method for every operation of the operator interface; imports are streamed with
 * `fetch`.
 *
 * @packageDocumentation
 */
// biome-ignore-all lint/performance/noBarrelFile: the entry of a published package

import { BaseClient } from './client.ts';
import { OPERATOR_OPERATIONS } from './generated/operator-contract.ts';
import type { OperatorMethods } from './generated/operator-methods.ts';
import type { WritePreview } from './generated/reseller-contract.ts';
import type {
  OperatorAnswer,
  OperatorElement,
  OperatorInput,
  OperatorList,
  OperatorOperation,
  OperatorPreviewed,
  Previewed,
} from './operator-types.ts';
import type { CallOptions } from './options.ts';
import type { Call } from './requests/call.ts';

export { type AnswerBody, BaseClient, type RequestInput } from './client.ts';
export type * from './generated/operator-contract.ts';
export type * from './generated/operator-methods.ts';
export type { WritePreview } from './generated/reseller-contract.ts';
export type * from './operator-types.ts';
export type { CallOptions, KeyportOptions, ReceivedResponse, SentRequest } from './options.ts';
export { type Answered, Call } from './requests/call.ts';
export * from './requests/errors.ts';
export type { StreamInit } from './requests/transport.ts';

type Parts = {
  readonly params?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, unknown>>;
  readonly body?: unknown;
};

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
export class KeyportAdmin extends BaseClient {
  /**
   * Calls an operation by name. Writes take effect once: they have an idempotency key, yours or a new one.
   */
  call<Name extends OperatorOperation>(
    name: Name,
    input: OperatorInput<Name>,
    options?: CallOptions,
  ): Call<OperatorAnswer<Name>> {
    const [method, pattern, takesKey, mayBeEmpty] = OPERATOR_OPERATIONS[name];
    const { params = {}, query, body }: Parts = input;
    const path = pattern.replace(/\{(\w+)\}/g, (_, param: string) => encodeURIComponent(params[param] ?? ''));
    const call = this.transport.envelope({ method, path, query, body, takesKey, mayBeEmpty }, options);
    return call.map((answer) => ('meta' in answer ? answer : answer['data']) as OperatorAnswer<Name>);
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
    const { body, ...parts } = input as unknown as Parts;
    const dry = { ...parts, body: { ...(body as object), dryRun: true } } as unknown as OperatorInput<Name>;
    const { data, response } = await this.call(name, dry, options).withResponse();
    return { preview: data as unknown as WritePreview, etag: response.headers.get('etag') ?? '' };
  }

  /** Every element of a list, on all pages. */
  async *all<Name extends OperatorList>(
    name: Name,
    input: OperatorInput<Name> = {} as OperatorInput<Name>,
    options?: CallOptions,
  ): AsyncGenerator<OperatorElement<Name>, void, undefined> {
    const [, , , , paging] = OPERATOR_OPERATIONS[name];
    const { itemsPerPage, ...asked }: Record<string, unknown> = { ...(input as Parts).query };
    const isByCursor = paging === 'cursor' && asked['page'] === undefined;
    let query: Record<string, unknown> = isByCursor
      ? { limit: itemsPerPage ?? 100, ...asked }
      : { itemsPerPage, ...asked };
    for (;;) {
      const page = (await this.call(name, { ...input, query }, options)) as unknown as {
        readonly data: OperatorElement<Name>[];
        readonly meta: { page: number; hasNext: boolean } | { nextCursor: string | null; hasMore: boolean };
      };
      yield* page.data;
      const { meta } = page;
      if ('hasNext' in meta) {
        if (!meta.hasNext) return;
        const after = paging === 'after' ? Object(page.data.at(-1)).id : undefined;
        query = { ...query, ...(after === undefined ? { page: meta.page + 1 } : { after, page: 1 }) };
      } else {
        if (meta.nextCursor === null || !meta.hasMore) return;
        query = { ...query, cursor: meta.nextCursor };
      }
    }
  }
}

for (const name of Object.keys(OPERATOR_OPERATIONS) as OperatorOperation[]) {
  Object.defineProperty(KeyportAdmin.prototype, name, {
    value(this: KeyportAdmin, input: never, options?: CallOptions) {
      return this.call(name, input ?? {}, options);
    },
  });
}
