import type { Role } from '@keyport/contract/roles';

export type TokenHolder =
  | { readonly role: 'reseller'; readonly clientId: string; readonly accountId: string }
  | { readonly role: 'operator'; readonly clientId: string };

/** An operator is a client or a person, whose id is the `clientId`. */
export type Principal = {
  readonly address?: string;
  /** Present if a person calls by a session. `isProven`: they signed in at most 5 minutes ago. */
  readonly session?: { readonly isProven: boolean };
  /** Present if a client calls by a token; comparable with other times of tokens only. */
  readonly tokenIssuedAtMs?: number;
} & (
  | Extract<TokenHolder, { role: 'reseller' }>
  | (Extract<TokenHolder, { role: 'operator' }> & {
      readonly operatorRole: Role;
    })
);
