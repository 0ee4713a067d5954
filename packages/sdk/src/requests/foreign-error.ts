import { KeyportConnectionError } from './errors.ts';

/** An error response that came from a proxy, not from the service. */
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
    `${what} returned ${status} with a body that is not Keyport's. Check baseUrl and the proxies in between.`,
    response,
  );
}
