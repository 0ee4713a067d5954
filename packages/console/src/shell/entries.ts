/** The screens of the navigation that the operator's role may see. */
import { useSession } from '../api/session.ts';
import { SCREENS } from '../screens.ts';

export function useEntries() {
  const { permissions } = useSession();
  return SCREENS.flatMap(({ path, permission, entry }) =>
    entry !== undefined && permissions.includes(permission) ? [{ path, entry }] : [],
  );
}
