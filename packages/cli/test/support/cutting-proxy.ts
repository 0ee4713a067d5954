import { once } from 'node:events';
import { connect as connectTo, createServer, type Socket } from 'node:net';

export type CuttingProxy = {
  readonly url: string;
  readonly cuts: () => number;
  close(): Promise<void>;
};

/**
 * Cuts one connection that carries an import for each of `cuts`, when the service has sent `sent` events
 * `committed`. The command receives only the first `received` of them.
 */
export async function startCuttingProxy(
  target: string,
  cuts: readonly { readonly sent: number; readonly received: number }[],
): Promise<CuttingProxy> {
  const { hostname, port } = new URL(target);
  const sockets = new Set<Socket>();
  let cutCount = 0;
  const server = createServer((from) => {
    const to = connectTo(Number(port), hostname);
    for (const socket of [from, to]) {
      sockets.add(socket);
      socket.on('error', () => {}).on('close', () => sockets.delete(socket));
    }
    let isImport = false;
    let sent = 0;
    from.on('data', (bytes: Buffer) => {
      isImport ||= bytes.subarray(0, 200).toString('latin1').startsWith('POST /admin/v1/imports/');
      if (!to.write(bytes)) {
        from.pause();
        to.once('drain', () => from.resume());
      }
    });
    to.on('data', (bytes: Buffer) => {
      // Until the service notices a cut, it rejects the next attempt. The command must receive that response.
      if (/^HTTP\/1\.1 [^2]/.test(bytes.subarray(0, 12).toString('latin1'))) isImport = false;
      const cut = isImport ? cuts[cutCount] : undefined;
      if (cut === undefined) {
        from.write(bytes);
        return;
      }
      if (sent < cut.received) from.write(bytes);
      sent += bytes.toString('latin1').split('"committed"').length - 1;
      if (sent < cut.sent) return;
      cutCount += 1;
      from.destroySoon();
      to.destroy();
    });
    from.on('end', () => to.end());
    to.on('end', () => from.end());
    from.on('close', () => to.destroy());
    to.on('close', () => from.destroySoon());
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  const ownPort = typeof address === 'object' ? address?.port : undefined;
  return {
    url: `http://127.0.0.1:${ownPort}`,
    cuts: () => cutCount,
    async close() {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}
