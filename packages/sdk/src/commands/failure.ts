/** The command reports only its message. */
export class CommandFailure extends Error {
  override readonly name = 'CommandFailure';
}
