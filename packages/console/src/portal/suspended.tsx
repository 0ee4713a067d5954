/** A suspended account reads, but orders nothing. */
import { useRead } from '../api/queries.ts';
import { Warning } from '../ui/page.tsx';
import { texts } from './texts.ts';

export function useSuspended(): boolean {
  return useRead('getOwnAccount', {}).data?.status === 'suspended';
}

export function Suspended() {
  return useSuspended() ? <Warning icon="lock">{texts.catalogue.suspended}</Warning> : null;
}
