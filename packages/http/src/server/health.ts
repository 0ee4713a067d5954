import { jsonReply } from '../replies/reply.ts';
import type { Route } from './exchange.ts';

export type Readiness = { readonly ready: boolean; readonly checks: Readonly<Record<string, boolean>> };

export function healthRoutes(readiness: () => Readiness): Route[] {
  const live = () => jsonReply(200, { status: 'ok' });
  const ready = () => {
    const { ready: isReady, checks } = readiness();
    return jsonReply(isReady ? 200 : 503, { status: isReady ? 'ok' : 'unavailable', checks });
  };
  return [
    { method: 'GET', path: '/health/live', handle: live },
    { method: 'GET', path: '/health/ready', handle: ready },
  ];
}
