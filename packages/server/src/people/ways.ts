/** Besides links. */
export type Ways = { readonly isLocal: boolean; readonly isOidc: boolean };
