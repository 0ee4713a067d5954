import { once } from 'node:events';
import { connect as connectTo, createServer, type Socket } from 'node:net';

/** Cuts connections that carry an import after as many bytes, or holds the first one back. */
export async function startUploadProxy(
  target: string,
  {
    cutAfterBytes = [],
    holdAfterBytes,
  }: {
    readonly cutAfterBytes?: readonly number[];
    readonly holdAfterBytes?: number;
  },
) {
  const { hostname, port } = new URL(target);
  const sockets = new Set<Socket>();
  const held = Promise.withResolvers<void>();
  let cuts = 0;
  const server = createServer((from) => {
    const to = connectTo(Number(port), hostname);
    for (const socket of [from, to]) {
      sockets.add(socket);
      socket.on('error', () => {}).on('close', () => sockets.delete(socket));
    }
    let isImport = false;
    let sentBytes = 0;
    from.on('data', (bytes: Buffer) => {
      isImport ||= bytes.subarray(0, 200).toString('latin1').startsWith('POST /admin/v1/imports/');
      if (isImport) sentBytes += bytes.length;
      const cutAt = isImport ? cutAfterBytes[cuts] : undefined;
      if (cutAt !== undefined && sentBytes > cutAt) {
        cuts += 1;
        from.destroy();
        to.destroy();
        return;
      }
      if (holdAfterBytes !== undefined && sentBytes > holdAfterBytes) {
        held.resolve();
        return;
      }
      if (!to.write(bytes)) {
        from.pause();
        to.once('drain', () => from.resume());
      }
    });
    to.on('data', (bytes: Buffer) => void from.write(bytes));
    from.on('end', () => to.end());
    to.on('end', () => from.end());
    from.on('close', () => to.destroy());
    to.on('close', () => from.destroySoon());
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  return {
    url: `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`,
    held: held.promise,
    close() {
      for (const socket of sockets) socket.destroy();
      server.close();
    },
  };
}
