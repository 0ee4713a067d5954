/**
 * Ends a connection whose server is silent for longer than any statement may take: TCP gives up only after a
 * quarter of an hour.
 */
import { Socket } from 'node:net';
import type { PoolClient } from 'pg';

const SILENCE_MAX_MS = 35_000;
const SILENCE_MARGIN_MS = 5_000;

type Limits = {
  readonly statementTimeoutMs?: number | undefined;
  readonly silenceMaxMs?: number | undefined;
};

export function endWhenSilent(client: PoolClient): void {
  const { stream } = client.connection;
  stream.on('timeout', () => stream.destroy());
  limitSilence(client, {});
}

/** `{}` sets the usual limits. Does nothing for the embedded engine. */
export function limitSilence(client: PoolClient, { statementTimeoutMs = 0, silenceMaxMs }: Limits): void {
  const { stream } = client.connection;
  if (!(stream instanceof Socket)) return;
  const usualMs = Math.max(SILENCE_MAX_MS, statementTimeoutMs + SILENCE_MARGIN_MS);
  const timeoutMs = silenceMaxMs ?? usualMs;
  if (stream.timeout !== timeoutMs) stream.setTimeout(timeoutMs);
}
