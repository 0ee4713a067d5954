/** Logs a request's route, never its URL, which may contain secrets. */
import { type DestinationStream, type Logger, pino, stdSerializers } from 'pino';
import type { OnRequestEnd } from '../server/request-record.ts';
import { openLogDestination } from './log-destination.ts';
import { REPORTED } from './reported.ts';

/** Properties of errors, at any depth, that are never logged. */
const SECRET_NAME = /authorization|secret|password|token|cookie|rawpacket/i;
const ERROR_DEPTH_MAX = 8;

export function createLogger(level: string, destination?: DestinationStream): Logger {
  return pino(
    {
      level,
      base: null,
      timestamp: timeMember,
      formatters: { level: (label) => ({ level: label }) },
      hooks: {
        logMethod(args, method) {
          const { err } = Object(args[0]) as { readonly err?: unknown };
          if (err === undefined || !isReported(err)) method.apply(this, args);
        },
      },
      // Only errors have unknown content. Redacting every line with pino doubled the cost of a request.
      serializers: { err: (error: Error) => hideSecrets(stdSerializers.errWithCause(error), 0) },
    },
    destination ?? openLogDestination(1),
  );
}

export function requestLog(logger: Logger): OnRequestEnd | undefined {
  if (!logger.isLevelEnabled('info')) return undefined;
  return (record) => {
    const { durationMs } = record;
    logger.info({ ...record, durationMs: Math.round(durationMs * 100) / 100 });
  };
}

function isReported(error: unknown): boolean {
  return error instanceof Error && (REPORTED in error || isReported(error.cause));
}

function hideSecrets(value: unknown, depth: number): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (depth >= ERROR_DEPTH_MAX) return '(deeper)';
  if (Array.isArray(value)) return value.map((element) => hideSecrets(element, depth + 1));
  const members = Object.entries(value).map(([name, member]) => [
    name,
    SECRET_NAME.test(name) ? '(secret)' : hideSecrets(member, depth + 1),
  ]);
  return Object.fromEntries(members);
}

let timeMs = 0;
let timeText = '';

/** Formatting the time was the most expensive part of a line. */
function timeMember(): string {
  const nowMs = Date.now();
  if (nowMs !== timeMs) {
    timeMs = nowMs;
    timeText = `,"time":"${new Date(nowMs).toISOString()}"`;
  }
  return timeText;
}
