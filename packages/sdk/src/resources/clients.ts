import type { OwnClient, RotatedClient } from '../generated/reseller-contract.ts';
import type { CallOptions } from '../options.ts';
import type { Call, ListCall } from '../requests/call.ts';
import { segment } from '../requests/segment.ts';
import { Resource } from '../requests/transport.ts';

/** Members to change. */
export interface ClientChange {
  readonly name?: string | undefined;
  /** Addresses and ranges; an empty list allows all. */
  readonly allowedAddresses?: readonly string[] | undefined;
  /** A `read-only` client can read everything except product keys, and can change only its own secret. */
  readonly access?: 'full' | 'read-only' | undefined;
}

const PATH = '/export/v1/clients';
const toPath = (clientId: string) => `${PATH}/${segment('clientId', clientId)}`;

/** `keyport.clients` */
export class Clients extends Resource {
  /** Oldest first. */
  list(options?: CallOptions): ListCall<OwnClient> {
    return this.transport.readList(PATH, options);
  }

  /**
   * A new secret of the calling client, shown only once. Store it before `previousValidUntil` (default: in 24
   * hours), when the previous one ends. This `Keyport` adopts the new secret.
   *
   * @example
   * ```ts
   * const { clientSecret } = await keyport.clients.rotateSecret(clientId, { overlapHours: 1 });
   * ```
   */
  rotateSecret(
    clientId: string,
    input: { readonly overlapHours?: number | undefined } = {},
    options?: CallOptions,
  ): Call<RotatedClient> {
    const path = `${toPath(clientId)}/rotate-secret`;
    return this.transport.write<RotatedClient>('POST', path, input, options).map((rotated) => {
      this.transport.adoptSecret(rotated);
      return rotated;
    });
  }

  /**
   * Changes only the given members of the calling client, which cannot lock itself out. One client must keep
   * full access.
   */
  update(clientId: string, change: ClientChange, options?: CallOptions): Call<OwnClient> {
    return this.transport.write('PATCH', toPath(clientId), change, options);
  }
}
