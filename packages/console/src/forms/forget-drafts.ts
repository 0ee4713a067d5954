/** The first screen needs this part of the drafts, because the next person to sign in must not see them. */
export const DRAFTS = 'keyport-draft:';

export function forgetDrafts(): void {
  for (const key of Object.keys(sessionStorage)) if (key.startsWith(DRAFTS)) sessionStorage.removeItem(key);
}
