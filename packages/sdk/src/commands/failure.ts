/** A failure that is reported by its message alone. */
export class CommandFailure extends Error {
  override readonly name = 'CommandFailure';
}
