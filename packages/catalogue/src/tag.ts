/**
 * A stamp identifies one version of a product on every node, so equal tags mean equal bytes. A release that
 * renders differently must change the constants.
 */
export class Tag {
  #one = 0;
  #other = 0;

  /** `other` is a whole number from 0, for all content except the products. */
  begin(other: number): void {
    this.#one = 0x6b657971;
    this.#other = 0x6f727431;
    this.add(other);
  }

  add(value: number): void {
    const low = value | 0;
    const high = Math.floor(value / 4_294_967_296);
    let one = Math.imul(low ^ Math.imul(high, 0x9e3779b1), 0xcc9e2d51);
    one = this.#one ^ Math.imul((one << 15) | (one >>> 17), 0x1b873593);
    this.#one = (Math.imul((one << 13) | (one >>> 19), 5) + 0xe6546b64) | 0;
    let other = Math.imul((low + Math.imul(high, 0x85ebca77)) | 0, 0x239b961b);
    other = this.#other ^ Math.imul((other << 16) | (other >>> 16), 0xab0e9789);
    this.#other = (Math.imul((other << 17) | (other >>> 15), 5) + 0x561ccd1b) | 0;
  }

  end(): string {
    return spread(this.#one).toString(36) + spread(this.#other).toString(36).padStart(7, '0');
  }
}

function spread(word: number): number {
  let mixed = Math.imul(word ^ (word >>> 16), 0x85ebca6b);
  mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35);
  return (mixed ^ (mixed >>> 16)) >>> 0;
}
