/** A failure whose message is all that people need. */
export class CommandFailure extends Error {
  override readonly name = 'CommandFailure';
}
