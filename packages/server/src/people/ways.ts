/** Ways to sign in, besides links. */
export type Ways = { readonly isLocal: boolean; readonly isOidc: boolean };
