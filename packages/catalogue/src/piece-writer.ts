/** Every start renders up to a million products, and strings cost several times as much as bytes. */
import { formatDateTime, MICROS_PER_DAY, MICROS_PER_SECOND } from '@keyport/core/date-time';

const CHUNK_SIZE = 1 << 18;
const DAY_LENGTH = 10;
const ZERO = 0x30;
const BLANK = 0x20;

export class PieceWriter {
  #chunk = Buffer.allocUnsafeSlow(CHUNK_SIZE);
  #at = 0;
  /** Most timestamps fall on the same day. */
  #day = Number.NaN;
  #dayText = '';

  get chunk(): Buffer {
    return this.#chunk;
  }

  get position(): number {
    return this.#at;
  }

  /** Makes room for `length` contiguous bytes. */
  begin(length: number): void {
    if (this.#at + length <= this.#chunk.length) return;
    this.#chunk = Buffer.allocUnsafeSlow(Math.max(CHUNK_SIZE, length));
    this.#at = 0;
  }

  ascii(text: string): void {
    const chunk = this.#chunk;
    let at = this.#at;
    for (let index = 0; index < text.length; index += 1) chunk[at++] = text.charCodeAt(index);
    this.#at = at;
  }

  string(text: string): void {
    this.#at += this.#chunk.write(JSON.stringify(text), this.#at, 'utf8');
  }

  number(value: number): void {
    const end = this.#at + digitCount(value);
    this.#at = end;
    for (let rest = value, at = end - 1; ; at -= 1) {
      const next = Math.floor(rest / 10);
      this.#chunk[at] = ZERO + rest - next * 10;
      if (next === 0) break;
      rest = next;
    }
  }

  price(minor: number): void {
    const whole = Math.floor(minor / 100);
    this.number(whole);
    this.ascii('.');
    this.#twoDigits(minor - whole * 100);
  }

  dateTime(epochMicros: number): void {
    const day = Math.floor(epochMicros / MICROS_PER_DAY);
    if (day !== this.#day) {
      this.#day = day;
      this.#dayText = formatDateTime(epochMicros).slice(0, DAY_LENGTH);
    }
    const microOfDay = epochMicros - day * MICROS_PER_DAY;
    const second = Math.floor(microOfDay / MICROS_PER_SECOND);
    const micro = microOfDay - second * MICROS_PER_SECOND;
    this.ascii(this.#dayText);
    this.ascii('T');
    this.#twoDigits(Math.floor(second / 3600));
    this.ascii(':');
    this.#twoDigits(Math.floor(second / 60) % 60);
    this.ascii(':');
    this.#twoDigits(second % 60);
    this.ascii('.');
    this.#twoDigits(Math.floor(micro / 10_000));
    this.#twoDigits(Math.floor(micro / 100) % 100);
    this.#twoDigits(micro % 100);
    this.ascii('Z');
  }

  blanks(count: number): void {
    for (let left = count; left > 0; left -= 1) this.#chunk[this.#at++] = BLANK;
  }

  #twoDigits(value: number): void {
    const tens = Math.floor(value / 10);
    this.#chunk[this.#at++] = ZERO + tens;
    this.#chunk[this.#at++] = ZERO + value - tens * 10;
  }
}

export function digitCount(whole: number): number {
  let count = 1;
  for (let limit = 10; whole >= limit; limit *= 10) count += 1;
  return count;
}
