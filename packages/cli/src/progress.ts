import { Presets, SingleBar } from 'cli-progress';

export type CountProgress = {
  update(done: number, total: number): void;
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
