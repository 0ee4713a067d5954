import type { MemberRole, Role } from '@keyport/contract/roles';

export type TokenHolder =
  | { readonly role: 'reseller'; readonly clientId: string; readonly accountId: string }
  | { readonly role: 'operator'; readonly clientId: string };

/** Requests per second; null: the limit of the installation. */
export type OwnLimits = Readonly<Record<'reads' | 'orders', number | null>>;

/** A client or a person, whose id is the `clientId`. */
export type Principal = {
  readonly address?: string;
  /** Present if a person calls by a session. `isProven`: they signed in at most 5 minutes ago. */
  readonly session?: { readonly isProven: boolean };
  /** A person's; those of a client are looked up. */
  readonly ownLimits?: OwnLimits;
  /** Present if a client calls by a token; comparable with other times of tokens only. */
  readonly tokenIssuedAtMs?: number;
} & (
  | (Extract<TokenHolder, { role: 'reseller' }> & {
      /** Present if a member calls by a session. */
      readonly memberRole?: MemberRole;
    })
  | (Extract<TokenHolder, { role: 'operator' }> & {
      readonly operatorRole: Role;
    })
);
