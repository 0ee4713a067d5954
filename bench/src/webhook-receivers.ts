/**
 * Webhook receivers: /ok responds immediately; the others hang, return 500, reset the connection or respond
 * slowly. Responds to every message with the delays of the deliveries to /ok.
 */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

const SLOW_CHUNK_MS = 1000;

let delaysMs: number[] = [];
const server = createServer(async (request, response) => {
  let text = '';
  for await (const chunk of request) text += chunk;
  switch (request.url) {
    case '/ok': {
      delaysMs.push(Date.now() - Date.parse(JSON.parse(text).createdAt));
      response.writeHead(204).end();
      return;
    }
    case '/500':
      response.writeHead(500).end('out of order');
      return;
    case '/reset':
      request.socket.resetAndDestroy();
      return;
    case '/slow': {
      response.writeHead(200);
      const timer = setInterval(() => response.write('.'), SLOW_CHUNK_MS);
      response.once('close', () => clearInterval(timer));
    }
  }
});
server.listen(0, '127.0.0.1', () => {
  const { port } = server.address() as AddressInfo;
  console.log(JSON.stringify({ url: `http://127.0.0.1:${port}` }));
});
process.on('message', () => {
  process.send?.(delaysMs);
  delaysMs = [];
});
process.once('SIGTERM', () => process.exit(0));
