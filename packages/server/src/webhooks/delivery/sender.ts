/** A connection goes to an address that its own lookup checked. Redirects are not followed. A313, A314. */
import { Resolver } from 'node:dns/promises';
import { isIP, type LookupFunction } from 'node:net';
import { Agent, buildConnector, errors, request } from 'undici';
import {
  CONNECT_ATTEMPT_TIMEOUT_MS,
  connectionErrorCode,
  describeConnectionFailure,
} from '../../connection-failure.ts';
import {
  addressOfHost,
  isAllowedAddress,
  isLocalName,
  NOT_PUBLIC,
  rejectTarget,
  type TargetRules,
} from '../endpoints/targets.ts';

type Resolve = (hostname: string) => Promise<readonly string[]>;

export type SenderOptions = {
  readonly rules: TargetRules;
  readonly userAgent: string;
  readonly resolve?: Resolve;
  readonly ca?: string;
  readonly timeoutMs?: number;
};

export type Outgoing = {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  readonly signal?: AbortSignal;
};

type Outcome = 'delivered' | 'rejected' | 'timed-out' | 'failed' | 'forbidden';

export type SendResult = {
  /** `aborted`: the sender was closed, but the request may have arrived. */
  readonly outcome: Outcome | 'aborted';
  readonly durationMs: number;
  readonly statusCode?: number;
  readonly error?: string;
  readonly responseExcerpt?: string;
  /** For operators only. */
  readonly address?: string;
  readonly retryAfterMs?: number;
};

/** A314. */
const TIMEOUT_MS = 15_000;
const RESPONSE_SIZE_BYTES_MAX = 64 * 1024;
const EXCERPT_LENGTH_MAX = 500;
const RESOLVE_TIMEOUT_MS = 2_000;

class ForbiddenAddressError extends Error {
  override readonly name = 'ForbiddenAddressError';
  readonly address: string | undefined;
  constructor(address: string | undefined) {
    super(NOT_PUBLIC);
    this.address = address;
  }
}

class Closing extends Error {
  override readonly name = 'Closing';
}

export class Sender {
  readonly #options: SenderOptions;
  readonly #agent: Agent;
  readonly #controllers = new Set<AbortController>();

  constructor(options: SenderOptions) {
    this.#options = options;
    // The dispatcher limits requests per endpoint and host.
    this.#agent = new Agent({ connect: createConnector(options), headersTimeout: 0, bodyTimeout: 0 });
  }

  /** Never throws. */
  async send({ url, headers, body, signal }: Outgoing): Promise<SendResult> {
    const { rules, userAgent, timeoutMs = TIMEOUT_MS } = this.#options;
    const startedAtMs = performance.now();
    const elapsed = () => Math.round(performance.now() - startedAtMs);
    const rejection = rejectTarget(url, rules);
    if (rejection !== undefined)
      return { outcome: 'forbidden', durationMs: 0, error: `The URL ${rejection}.` };
    const limit = this.#limit(timeoutMs);
    try {
      const response = await request(url, {
        dispatcher: this.#agent,
        method: 'POST',
        // Firewalls take requests without Accept for robots.
        headers: { accept: '*/*', 'content-type': 'application/json', 'user-agent': userAgent, ...headers },
        body,
        signal: signal === undefined ? limit.signal : AbortSignal.any([limit.signal, signal]),
      });
      const { statusCode, headers: received } = response;
      const isBusy = statusCode === 429 || statusCode === 503;
      const retryAfterMs = isBusy ? readRetryAfter(received['retry-after']) : undefined;
      const responseExcerpt = await readExcerpt(response.body);
      const isSuccess = statusCode >= 200 && statusCode < 300;
      return {
        outcome: isSuccess ? 'delivered' : 'rejected',
        durationMs: elapsed(),
        statusCode,
        ...(isSuccess ? {} : { error: describeStatus(statusCode) }),
        ...(responseExcerpt === '' ? {} : { responseExcerpt }),
        ...(retryAfterMs === undefined ? {} : { retryAfterMs }),
      };
    } catch (error) {
      return { ...describeFailure(error, timeoutMs), durationMs: elapsed() };
    } finally {
      limit.end();
    }
  }

  /** Also aborts when the sender is closed. */
  #limit(timeoutMs: number) {
    const controller = new AbortController();
    this.#controllers.add(controller);
    const timer = setTimeout(() => controller.abort(new errors.HeadersTimeoutError()), timeoutMs);
    const end = () => {
      clearTimeout(timer);
      this.#controllers.delete(controller);
    };
    return { signal: controller.signal, end };
  }

  async close(): Promise<void> {
    for (const controller of this.#controllers) controller.abort(new Closing());
    await this.#agent.destroy();
  }
}

function createConnector({ rules, resolve = createResolve(), ca }: SenderOptions): buildConnector.connector {
  const allowed = (addresses: readonly string[]) => addresses.filter((one) => isAllowedAddress(one, rules));
  const lookup: LookupFunction = (hostname, { all }, callback) => {
    resolve(hostname).then(
      (addresses) => {
        const [first, ...others] = allowed(addresses);
        if (first === undefined) callback(new ForbiddenAddressError(addresses[0]), '');
        else if (all === true) callback(null, [first, ...others].map(withFamily));
        else callback(null, first, isIP(first));
      },
      (error) => callback(error, ''),
    );
  };
  const connect = buildConnector({
    lookup,
    autoSelectFamilyAttemptTimeout: CONNECT_ATTEMPT_TIMEOUT_MS,
    ...(ca === undefined ? {} : { ca }),
  });
  return (options, callback) => {
    const address = addressOfHost(options.hostname);
    if (address !== undefined && !isAllowedAddress(address, rules)) {
      callback(new ForbiddenAddressError(address), null);
      return;
    }
    connect(options, (...[error, socket]) => {
      const remote = socket?.remoteAddress;
      if (error !== null) callback(error, null);
      else if (remote === undefined || isAllowedAddress(remote, rules)) callback(null, socket);
      else {
        socket.destroy();
        callback(new ForbiddenAddressError(remote), null);
      }
    });
  };
}

function withFamily(address: string) {
  return { address, family: isIP(address) };
}

/** Names that never resolve would block the four threads of Node's default lookup. */
function createResolve(): Resolve {
  const resolver = new Resolver({ timeout: RESOLVE_TIMEOUT_MS, tries: 2 });
  return async (hostname) => {
    if (isLocalName(hostname)) return ['127.0.0.1', '::1'];
    const answers = await Promise.allSettled([resolver.resolve4(hostname), resolver.resolve6(hostname)]);
    const addresses = answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []));
    const [first] = answers;
    if (addresses.length === 0 && first.status === 'rejected') throw first.reason;
    return addresses;
  };
}

/** An endless or truncated body does not change the outcome. */
async function readExcerpt(body: AsyncIterable<Buffer>): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  try {
    for await (const chunk of body) {
      chunks.push(chunk);
      size += chunk.length;
      if (size >= RESPONSE_SIZE_BYTES_MAX) break;
    }
  } catch {
    // The excerpt is what arrived.
  }
  const text = new TextDecoder().decode(Buffer.concat(chunks).subarray(0, EXCERPT_LENGTH_MAX * 4));
  return text
    .replace(/[^\P{C}\n\t]/gu, '')
    .slice(0, EXCERPT_LENGTH_MAX)
    .toWellFormed();
}

function readRetryAfter(header: string | string[] | undefined): number | undefined {
  const text = String(header ?? '');
  const delayMs = /^\d{1,9}$/.test(text) ? Number(text) * 1000 : Date.parse(text) - Date.now();
  return Number.isNaN(delayMs) ? undefined : delayMs;
}

function describeStatus(statusCode: number): string {
  return statusCode >= 300 && statusCode < 400
    ? `The response was ${statusCode}; redirects are not followed.`
    : `The response was ${statusCode}, not 2xx.`;
}

function describeFailure(error: unknown, timeoutMs: number): Omit<SendResult, 'durationMs'> {
  if (error instanceof Closing) return { outcome: 'aborted' };
  if (error instanceof ForbiddenAddressError) {
    const { message, address } = error;
    return { outcome: 'forbidden', error: message, ...(address === undefined ? {} : { address }) };
  }
  if (error instanceof errors.HeadersTimeoutError)
    return { outcome: 'timed-out', error: `No response within ${timeoutMs / 1000} s.` };
  const code = connectionErrorCode(error) ?? '';
  return { outcome: TIMED_OUT.has(code) ? 'timed-out' : 'failed', error: toReason(error) };
}

const TIMED_OUT = new Set(['UND_ERR_CONNECT_TIMEOUT', 'ETIMEDOUT']);

function toReason(error: unknown): string {
  if (error instanceof errors.HTTPParserError) return 'The response is not valid HTTP.';
  if (error instanceof errors.HeadersOverflowError) return 'The headers of the response are too large.';
  return describeConnectionFailure(error);
}
