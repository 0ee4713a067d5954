import { KeyportConnectionError } from './errors.ts';

/** An error that somebody between here and the service answered. */
export class ForeignError extends KeyportConnectionError {
  readonly response: Response;
  constructor(message: string, response: Response) {
    super(message);
    this.response = response;
    Object.defineProperty(this, 'response', { enumerable: false });
  }
}

export function foreignError(what: string, response: Response): ForeignError {
  const { status } = response;
  return new ForeignError(
    `${what} answered ${status} with something that is not Keyport's. Check baseUrl, and the proxies on the way.`,
    response,
  );
}
