/** A file of the SDK was damaged or changed. Nothing was sent; the message says what to do. */
export class JournalError extends Error {
  /** Always `JournalError`. */
  override readonly name: string = 'JournalError';
  /** The file. */
  readonly file: string;

  constructor(file: string, problem: string, options: { cause?: unknown } = {}) {
    super(`${file}: ${problem}`, options);
    this.file = file;
  }
}
