import { once } from 'node:events';
import { createServer, type Server } from 'node:net';
import type { Config } from '@keyport/server/config';
import { CommandFailure, describeAddressProblem } from '../failure.ts';

export type HeldAddresses = { release(): Promise<void> };

/** Holds the addresses until the service listens, so that taken ones are reported early. */
export async function holdAddresses(config: Config): Promise<HeldAddresses> {
  const { host, port, metricsPort } = config;
  const servers: Server[] = [];
  const release = async () => {
    await Promise.all(servers.splice(0).map(close));
  };
  try {
    servers.push(await listen({ host, port }, { host: 'KEYPORT_HOST', port: 'KEYPORT_PORT' }));
    if (metricsPort !== undefined) {
      const variables = { host: 'KEYPORT_METRICS_PORT', port: 'KEYPORT_METRICS_PORT' };
      // The first is still held, so using one port twice is reported too.
      servers.push(await listen(metricsPort, variables));
    }
  } catch (error) {
    await release();
    throw error;
  }
  return { release };
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
  return server.unref();
}

async function close(server: Server): Promise<void> {
  await once(server.close(), 'close');
}
