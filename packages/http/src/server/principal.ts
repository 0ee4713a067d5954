/** The caller of a request. */
import type { Role } from '@keyport/contract/roles';

/** Whose a token is, as it says itself. */
export type TokenHolder =
  | { readonly role: 'reseller'; readonly clientId: string; readonly accountId: string }
  | { readonly role: 'operator'; readonly clientId: string };

/** Who is calling. An operator is a program or a person; `clientId` is then the person's id. */
export type Principal =
  | Extract<TokenHolder, { role: 'reseller' }>
  | (Extract<TokenHolder, { role: 'operator' }> & {
      /** At this moment: no token says it. */
      readonly operatorRole: Role;
      /** Where the request came from; known once it is authorized. */
      readonly address?: string;
    });
