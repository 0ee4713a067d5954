/** Progress bars, on standard error and only on a terminal: of an upload, and of a number of things. */
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

export type CountProgress = {
  update(done: number, total: number): void;
  /** What it is waiting for. */
  note(text: string): void;
  stop(): void;
};

export function startCountProgress(unit: string): CountProgress {
  const bar = new SingleBar(
    {
      format: `{bar} {percentage}%  {value} of {total} ${unit}, {eta_formatted} left {note}`,
      stream: process.stderr,
    },
    Presets.shades_classic,
  );
  bar.start(0, 0, { note: '' });
  return {
    update(done, total) {
      bar.setTotal(total);
      bar.update(done, { note: '' });
    },
    note: (text) => bar.update({ note: `(${text})` }),
    stop: () => bar.stop(),
  };
}

function formatMegabytes(bytes: number): string {
  return `${(bytes / BYTES_PER_MB).toFixed(1)} MB`;
}
