import { Presets, SingleBar } from 'cli-progress';

const LINE_INTERVAL_MS = 5_000;
const BYTES_PER_MB = 1_000_000;
const CLEAR_LINE = '\r\u001b[K';

export type Position = {
  readonly line: number;
  readonly firstLine: number;
  /** As stored, before decompression. */
  readonly readBytes: number;
  readonly sentLine: number;
  readonly totalBytes: number | undefined;
  readonly rejected: number;
  readonly seconds: number;
};

export class Meter {
  #position = {
    line: 0,
    firstLine: 0,
    readBytes: 0,
    sentLine: 0,
    totalBytes: undefined as number | undefined,
    rejected: 0,
  };
  #activity = '';
  #startMs = performance.now();
  #bar: SingleBar | undefined;
  #timer: NodeJS.Timeout | undefined;

  start(totalBytes: number | undefined, activity = ''): void {
    this.stop();
    this.#activity = activity;
    this.#position = { ...this.#position, readBytes: 0, sentLine: 0, totalBytes };
    this.#startMs = performance.now();
    if (process.stderr.isTTY) {
      this.#bar = new SingleBar(
        { format: totalBytes === undefined ? '{text}' : '{bar} {text}', stream: process.stderr },
        Presets.shades_classic,
      );
      this.#bar.start(totalBytes ?? 0, 0, { text: '' });
    } else {
      this.#timer = setInterval(() => this.note(this.#text()), LINE_INTERVAL_MS);
      this.#timer.unref();
    }
  }

  read(sizeBytes: number): void {
    this.#position.readBytes += sizeBytes;
    this.#show();
  }

  sent(line: number): void {
    this.#position.sentLine = line;
  }

  resumeAt(line: number): void {
    this.#position = { ...this.#position, line, firstLine: line };
  }

  committed(line: number, rejected: number): void {
    this.#position = { ...this.#position, line, rejected };
    this.#show();
  }

  note(text: string): void {
    process.stderr.write(`${this.#bar === undefined ? '' : CLEAR_LINE}${text}\n`);
  }

  stop(): void {
    this.#bar?.stop();
    clearInterval(this.#timer);
    this.#bar = undefined;
  }

  #show(): void {
    const doneBytes = this.#activity === '' ? keptBytes(this.#position) : this.#position.readBytes;
    this.#bar?.update(doneBytes, { text: this.#text() });
  }

  #text(): string {
    const seconds = (performance.now() - this.#startMs) / 1000;
    if (this.#activity === '') return describePosition({ ...this.#position, seconds });
    return `${this.#activity}: ${describeBytes({ ...this.#position, seconds }).join(', ')}`;
  }
}

/** Returns text such as `34 %, 1,020,000 lines, 0:39 left, 3 rejected`. */
export function describePosition(position: Position): string {
  const { line, firstLine, rejected, seconds } = position;
  const [share, ...rest] = describeBytes({ ...position, readBytes: keptBytes(position) });
  const lines = [
    `${formatCount(line)} lines`,
    `${formatCount(perSecond(line - firstLine, seconds))} lines/s`,
  ];
  const parts = position.totalBytes === undefined ? [...lines, share, ...rest] : [share, ...lines, ...rest];
  return [...parts, `${formatCount(rejected)} rejected`].join(', ');
}

function keptBytes({ line, sentLine, readBytes }: Omit<Position, 'seconds'>): number {
  return line >= sentLine ? (sentLine === 0 ? 0 : readBytes) : Math.floor((readBytes * line) / sentLine);
}

function describeBytes({ readBytes, totalBytes, seconds }: Position): string[] {
  const rate = `${(perSecond(readBytes, seconds) / BYTES_PER_MB).toFixed(1)} MB/s`;
  if (totalBytes === undefined) return [rate];
  const share = totalBytes === 0 ? 1 : Math.min(readBytes / totalBytes, 1);
  const left =
    readBytes === 0 ? [] : [`${formatSeconds((seconds * (totalBytes - readBytes)) / readBytes)} left`];
  return [`${Math.floor(share * 100)} %`, rate, ...left];
}

function perSecond(amount: number, seconds: number): number {
  return seconds > 0 ? amount / seconds : 0;
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
