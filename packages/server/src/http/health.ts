/** What a supervisor and a load balancer ask: does the process answer, and should it get requests. No secrets. */
import type { FastifyInstance } from 'fastify';

export type Readiness = { readonly ready: boolean; readonly checks: Readonly<Record<string, boolean>> };

export function registerHealthRoutes(server: FastifyInstance, isReady: () => Readiness): void {
  // Balancers ask with HEAD as well.
  const options = { exposeHeadRoute: true };
  server.get('/health/live', options, (_request, reply) => reply.send({ status: 'ok' }));
  server.get('/health/ready', options, (_request, reply) => {
    const { ready, checks } = isReady();
    return reply.code(ready ? 200 : 503).send({ status: ready ? 'ok' : 'unavailable', checks });
  });
}
