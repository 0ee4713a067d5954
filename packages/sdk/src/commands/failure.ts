/** Reported by its message alone. */
export class CommandFailure extends Error {
  override readonly name = 'CommandFailure';
}
