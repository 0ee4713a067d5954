/** Whether the service could listen where it is asked to, found out before anything else of a start takes time. */
import { once } from 'node:events';
import { createServer, type Server } from 'node:net';
import type { Config } from '@keyport/server/config';
import { CommandFailure, describeAddressProblem } from '../failure.ts';

/** Throws CommandFailure with what to do. */
export async function requireFreeAddresses({ host, port, metricsHost, metricsPort }: Config): Promise<void> {
  const servers: Server[] = [];
  try {
    servers.push(await listen({ host, port }, { host: 'KEYPORT_HOST', port: 'KEYPORT_PORT' }));
    if (metricsPort === undefined) return;
    const variables = { host: 'KEYPORT_METRICS_HOST', port: 'KEYPORT_METRICS_PORT' };
    // While the first one is held, so that the same port twice is found too.
    servers.push(await listen({ host: metricsHost, port: metricsPort }, variables));
  } finally {
    await Promise.all(servers.map(close));
  }
}

async function listen(
  address: { readonly host: string; readonly port: number },
  variables: { readonly host: string; readonly port: string },
): Promise<Server> {
  const server = createServer((socket) => socket.destroy());
  try {
    await once(server.listen(address), 'listening');
  } catch (error) {
    const problem = error instanceof Error ? describeAddressProblem(error, variables) : undefined;
    throw problem === undefined ? error : new CommandFailure(problem);
  }
  return server;
}

async function close(server: Server): Promise<void> {
  await once(server.close(), 'close');
}
