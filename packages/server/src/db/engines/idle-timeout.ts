/**
 * Ends a connection whose server says nothing for longer than it could need: after a host is gone or a wire was cut
 * TCP itself gives up after a quarter of an hour, and the caller would wait for that.
 */
import { Socket } from 'node:net';
import type { PoolClient } from 'pg';

/** A statement takes 30 s at most, unless its transaction says otherwise. */
const SILENCE_MAX_MS = 35_000;
const SILENCE_MARGIN_MS = 5_000;

type Limits = {
  /** The server's own limit for a statement. */
  readonly statementTimeoutMs?: number | undefined;
  /** Instead of what follows from that. */
  readonly silenceMaxMs?: number | undefined;
};

export function endWhenSilent(client: PoolClient): void {
  const { stream } = client.connection;
  stream.on('timeout', () => stream.destroy());
  limitSilence(client, {});
}

/** From now on these are the limits; the usual ones with `{}`. Does nothing to an embedded engine. */
export function limitSilence(client: PoolClient, { statementTimeoutMs = 0, silenceMaxMs }: Limits): void {
  const { stream } = client.connection;
  if (!(stream instanceof Socket)) return;
  const usualMs = Math.max(SILENCE_MAX_MS, statementTimeoutMs + SILENCE_MARGIN_MS);
  const timeoutMs = silenceMaxMs ?? usualMs;
  if (stream.timeout !== timeoutMs) stream.setTimeout(timeoutMs);
}
