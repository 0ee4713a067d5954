/** The clients of the account: its credentials. */

import type { OwnClient, RotatedClient } from '../generated/reseller-contract.ts';
import type { CallOptions } from '../options.ts';
import { type Call, ListCall } from '../requests/call.ts';
import type { Transport } from '../requests/transport.ts';

/** The members of a client to change. */
export interface ClientChange {
  readonly name?: string | undefined;
  /** Addresses and ranges; an empty list: anywhere. */
  readonly allowedAddresses?: readonly string[] | undefined;
  /** A `read-only` client reads everything except product keys, and changes nothing but its own secret. */
  readonly access?: 'full' | 'read-only' | undefined;
}

const PATH = '/export/v1/clients';

/** `keyport.clients` */
export class Clients {
  readonly #transport: Transport;

  /** @internal */
  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /** All clients of the account, oldest first. */
  list(options?: CallOptions): ListCall<OwnClient> {
    const call = this.#transport.call<OwnClient[]>({ method: 'GET', path: PATH }, options);
    return new ListCall(call.withResponse());
  }

  /**
   * A new secret, shown only now. Store it before `previousValidUntil` (default: in 24 hours), when the previous one ends.
   * If it is the secret of this `Keyport`, its next token request uses the new one.
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
    const request = {
      method: 'POST',
      path: `${pathOf(clientId)}/rotate-secret`,
      body: input,
      takesKey: true,
    };
    return this.#transport.call<RotatedClient>(request, options).map((rotated) => {
      this.#transport.adoptSecret(rotated);
      return rotated;
    });
  }

  /** Changes the given members only. A client cannot lock out itself, and one client keeps full access. */
  update(clientId: string, change: ClientChange, options?: CallOptions): Call<OwnClient> {
    const request = { method: 'PATCH', path: pathOf(clientId), body: change, takesKey: true };
    return this.#transport.call(request, options);
  }
}

function pathOf(clientId: string): string {
  return `${PATH}/${encodeURIComponent(clientId)}`;
}
