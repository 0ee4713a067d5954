import type { PortalSession } from '@keyport/contract/accounts/members';
import type { ReactNode } from 'react';
import { useSession } from '../api/session.ts';
import { Frame } from '../shell/frame.tsx';
import { useEntries } from './screens.ts';

export function PortalFrame({ children }: { readonly children: ReactNode }) {
  const { member } = useSession<PortalSession>();
  return (
    <Frame app={{ owner: member.id, toFirst: () => undefined, finds: {} }} entries={useEntries()}>
      {children}
    </Frame>
  );
}
