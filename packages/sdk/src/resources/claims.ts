import type { Claim, ListClaimsQuery } from '../generated/reseller-contract.ts';
import type { CallOptions } from '../options.ts';
import type { Call } from '../requests/call.ts';
import { CursorList } from '../requests/lists.ts';
import { segment } from '../requests/segment.ts';
import { Resource } from '../requests/transport.ts';

/** The faulty keys of an item, by their codes. */
export interface ClaimInput {
  readonly orderId: string;
  readonly itemId: string;
  readonly codes: readonly string[];
  readonly reason: Claim['reason'];
  readonly message?: string | undefined;
}

const PATH = '/export/v1/claims';
const toPath = (id: string) => `${PATH}/${segment('claimId', id)}`;

/** `keyport.claims` */
export class Claims extends Resource {
  /**
   * Claims faulty keys of an order. The event `claim.decided` announces the decision.
   *
   * @example
   * ```ts
   * const claim = await keyport.claims.create({ orderId, itemId, codes: [code], reason: 'already-used' });
   * ```
   */
  create({ orderId, ...body }: ClaimInput, options?: CallOptions): Call<Claim> {
    const path = `/export/v1/orders/${segment('orderId', orderId)}/claims`;
    return this.transport.write('POST', path, body, options);
  }

  /** Newest first. */
  list(filters: ListClaimsQuery & CallOptions = {}, options: CallOptions = {}): CursorList<Claim> {
    return new CursorList<Claim>(this.transport, PATH, filters, options);
  }

  /** One claim with the outcomes of its keys. */
  get(id: string, options?: CallOptions): Call<Claim> {
    return this.transport.read(toPath(id), options);
  }

  /** Withdraws an open claim. */
  withdraw(id: string, options?: CallOptions): Call<Claim> {
    return this.transport.write('POST', `${toPath(id)}/withdraw`, undefined, options);
  }
}
