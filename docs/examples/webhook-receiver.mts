// A receiver of webhooks for Node 22.18 or later, without packages: WEBHOOK_SECRET=whsec_… PORT=3000 node webhook-receiver.mts
import { createHmac, timingSafeEqual } from 'node:crypto';
import { createServer, type IncomingHttpHeaders } from 'node:http';

const secret = Buffer.from((process.env['WEBHOOK_SECRET'] ?? '').replace('whsec_', ''), 'base64');
if (secret.length === 0) throw new Error('set WEBHOOK_SECRET: with an empty key anyone can sign');
const TOLERANCE_SECONDS = 300;

function isGenuine(headers: IncomingHttpHeaders, body: string): boolean {
  const { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': signatures } = headers;
  if (Math.abs(Date.now() / 1000 - Number(timestamp)) > TOLERANCE_SECONDS) return false;
  const expected = createHmac('sha256', secret).update(`${id}.${timestamp}.${body}`).digest();
  // There are several signatures while secrets overlap.
  return String(signatures)
    .split(' ')
    .map((signature) => Buffer.from(signature.replace(/^v1,/, ''), 'base64'))
    .some((given) => given.length === expected.length && timingSafeEqual(given, expected));
}

// Use your database: an event arrives again with the same id if your response was lost.
const done = new Set<unknown>();

function handle(event: { id: string; type: string; data: { order?: { id: string } } }): void {
  if (done.has(event.id)) return;
  // Your work, or a queue for longer work. Note the id after it, or in one transaction with it: if it fails, the event must
  // come again.
  console.log(event.type, event.data.order?.id ?? '');
  done.add(event.id);
}

createServer(async (request, response) => {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk);
  const body = Buffer.concat(chunks).toString('utf8');
  if (!isGenuine(request.headers, body)) {
    response.writeHead(400).end('wrong signature');
    return;
  }
  try {
    handle(JSON.parse(body));
    response.writeHead(204).end();
  } catch (error) {
    console.error(error);
    response.writeHead(500).end();
  }
}).listen(Number(process.env['PORT'] ?? 3000), '127.0.0.1');
