import type { Role } from '@keyport/contract/roles';

export type TokenHolder =
  | { readonly role: 'reseller'; readonly clientId: string; readonly accountId: string }
  | { readonly role: 'operator'; readonly clientId: string };

/** An operator is a client or a person, whose id is the `clientId`. */
export type Principal = {
  readonly address?: string;
} & (
  | Extract<TokenHolder, { role: 'reseller' }>
  | (Extract<TokenHolder, { role: 'operator' }> & {
      readonly operatorRole: Role;
    })
);
