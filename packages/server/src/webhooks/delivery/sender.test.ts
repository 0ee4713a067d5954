/** A313, A314. */
import { deepEqual, equal, match, ok } from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type RequestListener } from 'node:http';
import { type AddressInfo, connect, createServer as createTcpServer, type Socket } from 'node:net';
import { type TestContext, test } from 'vitest';
import { Sender, type SenderOptions } from './sender.ts';

const SANDBOX = { rules: { allowsHttp: true, allowsLocal: true }, userAgent: 'Keyport test' };

async function startReceiver(t: TestContext, listener: RequestListener) {
  const requests: IncomingMessage[] = [];
  const server = createServer((request, response) => {
    requests.push(request);
    listener(request, response);
  });
  let connections = 0;
  server.on('connection', () => {
    connections += 1;
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  t.onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  return { port, requests, connectionCount: () => connections };
}

function startSender(t: TestContext, options: Partial<SenderOptions> = {}): Sender {
  const sender = new Sender({ ...SANDBOX, ...options });
  t.onTestFinished(() => sender.close());
  return sender;
}

const outgoing = (url: string) => ({ url, headers: { 'webhook-id': 'evt_1' }, body: '{"id":"evt_1"}' });

test('a 2xx response counts as delivered, and the request is a POST of the body with its headers', async (t) => {
  let received = '';
  const { port, requests } = await startReceiver(t, async (request, response) => {
    for await (const chunk of request) received += chunk;
    response.writeHead(204).end();
  });
  const result = await startSender(t).send(outgoing(`http://127.0.0.1:${port}/hook?shop=7`));
  deepEqual([result.outcome, result.statusCode, result.error], ['delivered', 204, undefined]);
  const [request] = requests;
  const { method, url, headers } = request ?? {};
  deepEqual([method, url, received], ['POST', '/hook?shop=7', '{"id":"evt_1"}']);
  deepEqual(
    [headers?.['content-type'], headers?.accept, headers?.['user-agent'], headers?.['webhook-id']],
    ['application/json', '*/*', 'Keyport test', 'evt_1'],
  );
});

test('any other status is a failure, and a redirect is not followed', async (t) => {
  let status = 0;
  const { port, requests } = await startReceiver(t, (_request, response) => {
    response.writeHead(status, { location: `http://127.0.0.1:${port}/elsewhere` }).end('no\u0000 thanks');
  });
  const sender = startSender(t);
  const rows = [301, 302, 307, 400, 404, 410, 429, 500, 503];
  for (status of rows) {
    const result = await sender.send(outgoing(`http://127.0.0.1:${port}/`));
    deepEqual([result.outcome, result.statusCode], ['rejected', status]);
    match(result.error ?? '', status < 400 ? /redirects are not followed/ : /not 2xx/);
    equal(result.responseExcerpt, 'no thanks');
  }
  equal(requests.length, rows.length);
});

test('a request to a silent receiver times out', async (t) => {
  const { port } = await startReceiver(t, () => {});
  const result = await startSender(t, { timeoutMs: 50 }).send(outgoing(`http://127.0.0.1:${port}/`));
  deepEqual([result.outcome, result.error], ['timed-out', 'No response within 0.05 s.']);
});

test('reads no more than 64 KB of an endless body, and uses its status', async (t) => {
  let sentBytes = 0;
  const { port } = await startReceiver(t, (_request, response) => {
    const chunk = Buffer.alloc(16 * 1024, 'x');
    const pump = () => {
      while (!response.destroyed && response.write(chunk)) sentBytes += chunk.length;
    };
    response.writeHead(200).on('drain', pump);
    pump();
  });
  const result = await startSender(t).send(outgoing(`http://127.0.0.1:${port}/`));
  deepEqual([result.outcome, result.responseExcerpt], ['delivered', 'x'.repeat(500)]);
  // The kernel's buffers add to it; an unbounded read would never end.
  ok(sentBytes < 64 * 1024 * 1024);
});

test('a slow body is cut off at the deadline, and its 200 counts as delivered', async (t) => {
  const { port } = await startReceiver(t, (_request, response) => {
    response.writeHead(200);
    response.write('slow');
  });
  const result = await startSender(t, { timeoutMs: 1_000 }).send(outgoing(`http://127.0.0.1:${port}/`));
  deepEqual([result.outcome, result.responseExcerpt], ['delivered', 'slow']);
});

test('a reset, a close, a response that is not HTTP, endless headers, and a closed port are failures', async (t) => {
  const scripts: [string, (socket: Socket) => void][] = [
    [
      'The connection was closed before the response arrived (ECONNRESET).',
      (socket) => socket.resetAndDestroy(),
    ],
    ['The connection was closed before the response arrived.', (socket) => socket.end()],
    ['The response is not valid HTTP.', (socket) => socket.end('SSH-2.0-OpenSSH_9.9\r\n')],
    [
      'The headers of the response are too large.',
      (socket) => socket.end(`HTTP/1.1 200 OK\r\n${'X: y\r\n'.repeat(50_000)}\r\n`),
    ],
  ];
  const sender = startSender(t);
  for (const [error, script] of scripts) {
    const server = createTcpServer((socket) => {
      socket.on('error', () => {});
      socket.once('data', () => script(socket));
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    const url = `http://127.0.0.1:${port}/`;
    const failure = await sender.send(outgoing(url));
    deepEqual([failure.outcome, failure.error], ['failed', error]);
    await new Promise((resolve) => server.close(resolve));
    const result = await sender.send(outgoing(url));
    deepEqual(
      [result.outcome, result.error],
      ['failed', 'The host refused the connection: nothing listens on this port (ECONNREFUSED).'],
    );
  }
});

test('a connection goes to the checked address, whatever the name server returns next', async (t) => {
  const { port, requests } = await startReceiver(t, (_request, response) => response.writeHead(200).end());
  const answers = [['10.0.0.1', '127.0.0.1'], ['10.0.0.1'], ['::ffff:10.0.0.1'], []];
  const asked: string[] = [];
  const resolve = async (hostname: string) => {
    asked.push(hostname);
    return answers[asked.length - 1] ?? [];
  };
  const url = `http://shop.example:${port}/`;
  const [outcomes, errors, addresses] = [[] as unknown[], [] as unknown[], [] as unknown[]];
  for (const _ of answers) {
    // A separate sender, because the next request must not reuse the connection.
    const sender = new Sender({ ...SANDBOX, resolve });
    const { outcome, error, address } = await sender.send(outgoing(url));
    outcomes.push(outcome);
    errors.push(error);
    addresses.push(address);
    await sender.close();
  }
  deepEqual(outcomes, ['delivered', 'forbidden', 'forbidden', 'forbidden']);
  equal(JSON.stringify(errors).includes('10.0.0.1'), false, 'resellers see the error');
  deepEqual(addresses, [undefined, '10.0.0.1', '::ffff:10.0.0.1', undefined]);
  equal(asked.length, answers.length, 'one lookup for each connection');
  deepEqual([requests.length, requests[0]?.headers.host], [1, `shop.example:${port}`]);
});

test.for([
  ['outside the sandbox', false],
  ['in a shared sandbox', true],
] as const)('%s, no request reaches this machine, by name or by address', async ([_, allowsHttp], t) => {
  const { port, connectionCount } = await startReceiver(t, (_request, response) => response.end());
  const names: Record<string, readonly string[]> = {
    'loopback.example': ['127.0.0.1'],
    'loopback6.example': ['::1'],
    'mapped.example': ['::ffff:127.0.0.1'],
    'any.example': ['0.0.0.0'],
    'metadata.example': ['169.254.169.254'],
    'private.example': ['192.168.0.1', '10.0.0.1', 'fd00::1'],
    'nat64.example': ['64:ff9b::7f00:1'],
  };
  const sender = startSender(t, {
    rules: { allowsHttp, allowsLocal: false },
    resolve: async (hostname) => names[hostname] ?? [],
  });
  const hosts = [...Object.keys(names), '127.0.0.1', '[::1]', 'localhost', '2130706433', '[::ffff:7f00:1]'];
  for (const host of hosts) {
    const result = await sender.send(outgoing(`https://${host}:${port}/`));
    deepEqual([host, result.outcome, result.statusCode], [host, 'forbidden', undefined]);
    ok(result.error !== undefined);
  }
  equal((await sender.send(outgoing(`http://loopback.example:${port}/`))).outcome, 'forbidden');
  equal(connectionCount(), 0);
});

test('closing ends requests in progress', async (t) => {
  const { port, requests } = await startReceiver(t, () => void sender.close());
  const sender = startSender(t);
  const result = await sender.send(outgoing(`http://127.0.0.1:${port}/`));
  deepEqual([result.outcome, requests.length], ['aborted', 1]);
});

test('a slow first address is given time before the next one is tried', async (t) => {
  // With a full queue the kernel drops requests to connect, and the sender's is repeated after a second.
  const script = `
    const server = require('node:http').createServer((_, response) => response.end());
    server.listen({ port: 0, host: '127.0.0.1', backlog: 0 }, () => {
      process.send(server.address().port);
      process.once('message', () => {
        Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 800);
      });
    });`;
  const child = spawn(process.execPath, ['-e', script], { stdio: ['ignore', 'ignore', 'inherit', 'ipc'] });
  t.onTestFinished(() => void child.kill());
  const [port] = await once(child, 'message');
  child.send('block');
  await new Promise((resolve) => setTimeout(resolve, 100));
  const fillers = Array.from({ length: 4 }, () => connect(port, '127.0.0.1').on('error', () => {}));
  t.onTestFinished(() => {
    for (const filler of fillers) filler.destroy();
  });
  // Nothing listens on the second address.
  const sender = startSender(t, { resolve: async () => ['127.0.0.1', '127.0.0.2'] });
  const { outcome, error } = await sender.send(outgoing(`http://shop.example:${port}/`));
  deepEqual([outcome, error], ['delivered', undefined]);
});
