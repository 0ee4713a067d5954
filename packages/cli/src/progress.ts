/** The progress bar of an upload, on standard error and only on a terminal. */
import { Presets, SingleBar } from 'cli-progress';

const BYTES_PER_MB = 1_000_000;

export type Progress = {
  add(sizeBytes: number): void;
  stop(): void;
};

/** Of a size that is not known there is only how much and how fast. */
export function startProgress(sizeBytes: number | undefined): Progress {
  const startMs = performance.now();
  let sentBytes = 0;
  const rest = sizeBytes === undefined ? '' : ` of ${formatMegabytes(sizeBytes)}, {eta_formatted} left`;
  const bar = new SingleBar(
    {
      format: `${sizeBytes === undefined ? '' : '{bar} {percentage}%  '}{sent}${rest}, {rate}/s`,
      stream: process.stderr,
      etaBuffer: 100,
    },
    Presets.shades_classic,
  );
  bar.start(sizeBytes ?? 0, 0, { sent: formatMegabytes(0), rate: formatMegabytes(0) });
  return {
    add(chunkBytes) {
      sentBytes += chunkBytes;
      const seconds = (performance.now() - startMs) / 1000;
      bar.update(sentBytes, { sent: formatMegabytes(sentBytes), rate: formatMegabytes(sentBytes / seconds) });
    },
    stop: () => bar.stop(),
  };
}

function formatMegabytes(bytes: number): string {
  return `${(bytes / BYTES_PER_MB).toFixed(1)} MB`;
}
