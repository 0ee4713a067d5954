import type { Role } from '@keyport/contract/roles';

export type TokenHolder =
  | { readonly role: 'reseller'; readonly clientId: string; readonly accountId: string }
  | { readonly role: 'operator'; readonly clientId: string };

/** The caller. An operator is a client or a person; for a person, `clientId` is the person's id. */
export type Principal = {
  readonly address?: string;
} & (
  | Extract<TokenHolder, { role: 'reseller' }>
  | (Extract<TokenHolder, { role: 'operator' }> & {
      readonly operatorRole: Role;
    })
);
