/** The ways to sign in that this installation has, besides links. */
export type Ways = { readonly isLocal: boolean; readonly isOidc: boolean };
