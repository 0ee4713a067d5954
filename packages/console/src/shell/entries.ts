/** The screens of the navigation that the operator's role may see. */
import { useSession } from '../api/session.ts';
import { SCREENS } from '../screens.ts';
import { texts } from '../texts.ts';

export function useEntries() {
  const { permissions } = useSession();
  return SCREENS.flatMap(({ path, permission = 'view', entry }) =>
    entry !== undefined && permissions.includes(permission)
      ? [{ path, entry, title: texts.navigation[entry.icon] }]
      : [],
  );
}
