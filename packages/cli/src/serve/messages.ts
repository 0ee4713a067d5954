/** What the primary and its workers say to each other. */
import type { MetricValues } from '@keyport/server/metrics/metrics';
import type { Welcome } from './welcome.ts';

export type FromPrimary =
  | {
      readonly kind: 'start';
      /** Place of the worker among its siblings, from 1; a new one takes the place of the one before it. */
      readonly worker: number;
      /** The demo reseller that the first worker made; undefined for that one, and without the demo. */
      readonly demo: Welcome['demo'];
    }
  /** Make room for the worker that has taken this one's place. */
  | { readonly kind: 'leave' }
  | { readonly kind: 'count' };

export type FromWorker =
  /** It listens, and wants to know what to start. */
  | { readonly kind: 'present' }
  | { readonly kind: 'ready'; readonly welcome: Welcome }
  | { readonly kind: 'counted'; readonly values: MetricValues };
