/** The baseline of reads: a node:http server that sends the same headers and bytes every time. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

type Fixed = { readonly headers: Record<string, string>; readonly body: string };

process.once('message', (fixed: Fixed) => {
  const body = Buffer.from(fixed.body);
  const server = createServer((_request, response) => {
    response.writeHead(200, fixed.headers);
    response.end(body);
  });
  server.listen(0, '127.0.0.1', () => {
    const { port } = server.address() as AddressInfo;
    console.log(JSON.stringify({ url: `http://127.0.0.1:${port}` }));
  });
});
