import { appendFileSync, createReadStream, existsSync, rmSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { printable } from '@keyport/sdk-source/commands/output';
import { CommandFailure } from '../failure.ts';
import type { SentLine } from './sent-lines.ts';

/** Lines may be product keys. */
const OWNER_ONLY = 0o600;
const LINE_END = Buffer.from('\n');
const NOT_KEPT = ' (too long to be kept)';

type Rejected = { readonly line: number; readonly message: string; readonly bytes: Uint8Array | undefined };

/** One file to correct and import again, and one with the reasons. */
export class Rejects {
  readonly path: string;
  readonly reasonsPath: string;
  #header: Uint8Array | undefined;
  #pending: Rejected[] = [];
  count = 0;
  /** The number of lines whose reason was kept, but not their text. */
  notKeptCount = 0;

  private constructor(path: string) {
    this.path = path;
    this.reasonsPath = `${path}.txt`;
  }

  static async open(path: string): Promise<Rejects> {
    const rejects = new Rejects(path);
    for await (const reason of rejects.#readReasons()) {
      rejects.count += 1;
      if (reason.endsWith(NOT_KEPT)) rejects.notKeptCount += 1;
    }
    return rejects;
  }

  clear(): void {
    this.count = 0;
    this.notKeptCount = 0;
    rmSync(this.path, { force: true });
    rmSync(this.reasonsPath, { force: true });
  }

  setHeader(bytes: Uint8Array): void {
    this.#header = bytes;
  }

  add(
    { bytes, problem }: Omit<SentLine, 'line'>,
    { line, message }: { line: number; message: string },
  ): void {
    this.#pending.push({ line, message: problem ?? message, bytes });
  }

  write(): void {
    if (this.#pending.length === 0) return;
    const isNew = !existsSync(this.path);
    const header = isNew && this.#header !== undefined ? [this.#header, LINE_END] : [];
    const lines = this.#pending.flatMap(({ bytes }) => (bytes === undefined ? [] : [bytes, LINE_END]));
    append(this.path, Buffer.concat([...header, ...lines]));
    const reasons = this.#pending.map(({ line, message, bytes }) => {
      const lost = bytes === undefined ? NOT_KEPT : '';
      return `line ${line}: ${printable(message)}${lost}\n`;
    });
    append(this.reasonsPath, Buffer.from(reasons.join('')));
    this.count += this.#pending.length;
    this.notKeptCount += this.#pending.filter(({ bytes }) => bytes === undefined).length;
    this.#pending = [];
  }

  async recordedLines(): Promise<Set<number>> {
    const numbers = new Set<number>();
    for await (const reason of this.#readReasons()) {
      const [, number] = /^line (\d+): /.exec(reason) ?? [];
      if (number !== undefined) numbers.add(Number(number));
    }
    return numbers;
  }

  async *#readReasons(): AsyncGenerator<string> {
    if (!existsSync(this.reasonsPath)) return;
    yield* createInterface({ input: createReadStream(this.reasonsPath) });
  }
}

function append(path: string, bytes: Buffer): void {
  try {
    appendFileSync(path, bytes, { mode: OWNER_ONLY });
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    const problem = `the rejected lines cannot be written: ${reason}. Name another file with --rejects`;
    throw new CommandFailure(problem, { cause });
  }
}
