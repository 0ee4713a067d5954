import { Presets, SingleBar } from 'cli-progress';

const LINE_INTERVAL_MS = 5_000;
const CLEAR_LINE = '\r\u001b[K';

export type Position = {
  readonly read: number;
  readonly total: number;
  readonly rejected: number;
  readonly seconds: number;
};

export class Meter {
  #position = { read: 0, total: 0, rejected: 0 };
  #startMs = performance.now();
  #bar: SingleBar | undefined;
  #timer: NodeJS.Timeout | undefined;

  start(total: number): void {
    this.stop();
    this.#position = { read: 0, total, rejected: 0 };
    this.#startMs = performance.now();
    if (process.stderr.isTTY) {
      this.#bar = new SingleBar({ format: '{bar} {text}', stream: process.stderr }, Presets.shades_classic);
      this.#bar.start(total, 0, { text: '' });
    } else {
      this.#timer = setInterval(() => this.note(this.#text()), LINE_INTERVAL_MS);
      this.#timer.unref();
    }
  }

  show(read: number, rejected: number): void {
    this.#position = { ...this.#position, read, rejected };
    this.#bar?.update(Math.min(read, this.#position.total), { text: this.#text() });
  }

  note(text: string): void {
    process.stderr.write(`${this.#bar === undefined ? '' : CLEAR_LINE}${text}\n`);
  }

  stop(): void {
    this.#bar?.stop();
    clearInterval(this.#timer);
    this.#bar = undefined;
  }

  #text(): string {
    return describePosition({ ...this.#position, seconds: (performance.now() - this.#startMs) / 1000 });
  }
}

/** Returns text such as `34 %, 1,020,000 lines, 50,000 lines/s, 0:39 left, 3 rejected`. */
export function describePosition({ read, total, rejected, seconds }: Position): string {
  const rate = seconds > 0 ? read / seconds : 0;
  const share = total === 0 ? 1 : Math.min(read / total, 1);
  const left = rate === 0 ? [] : [`${formatSeconds(Math.max(0, total - read) / rate)} left`];
  return [
    `${Math.floor(share * 100)} %`,
    `${formatCount(read)} lines`,
    `${formatCount(rate)} lines/s`,
    ...left,
    `${formatCount(rejected)} rejected`,
  ].join(', ');
}

function formatCount(count: number): string {
  return Math.round(count).toLocaleString('en');
}

function formatSeconds(seconds: number): string {
  const whole = Math.round(seconds);
  const [hours, minutes, rest] = [Math.floor(whole / 3600), Math.floor(whole / 60) % 60, whole % 60];
  const pad = (part: number) => String(part).padStart(2, '0');
  return hours > 0 ? `${hours}:${pad(minutes)}:${pad(rest)}` : `${minutes}:${pad(rest)}`;
}
