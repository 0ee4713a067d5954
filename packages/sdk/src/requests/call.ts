/** The data of a response, and the response. */
export interface Answered<T> {
  readonly data: T;
  /** The call's last response. Its body has been read. */
  readonly response: Response;
}

/**
 * A call in progress: a promise of its data.
 *
 * @example
 * ```ts
 * const account = await keyport.account.get();
 * const { data, response } = await keyport.account.get().withResponse();
 * console.log(data.balance, response.headers.get('ratelimit-remaining'));
 * ```
 */
export class Call<T> implements Promise<T> {
  readonly [Symbol.toStringTag]: string = 'Call';
  readonly #answered: Promise<Answered<T>>;

  /** @internal */
  constructor(answered: Promise<Answered<T>>) {
    this.#answered = answered;
  }

  /** The data and the response. */
  withResponse(): Promise<Answered<T>> {
    return this.#answered;
  }

  // biome-ignore lint/suspicious/noThenProperty: it is a promise
  then<Result = T, Failure = never>(
    onDone?: ((data: T) => Result | PromiseLike<Result>) | null,
    onFailed?: ((reason: unknown) => Failure | PromiseLike<Failure>) | null,
  ): Promise<Result | Failure> {
    return this.#answered.then(({ data }) => data).then(onDone, onFailed);
  }

  catch<Failure = never>(
    onFailed?: ((reason: unknown) => Failure | PromiseLike<Failure>) | null,
  ): Promise<T | Failure> {
    return this.then(undefined, onFailed);
  }

  finally(onEnd?: (() => void) | null): Promise<T> {
    return this.then().finally(onEnd);
  }

  /** @internal */
  map<Mapped>(change: (data: T) => Mapped): Call<Mapped> {
    return new Call(this.#answered.then(({ data, response }) => ({ data: change(data), response })));
  }
}

/** A call whose list can also be iterated. */
export class ListCall<Item> extends Call<Item[]> implements AsyncIterable<Item> {
  /** Its elements in order. */
  async *[Symbol.asyncIterator](): AsyncGenerator<Item, void, undefined> {
    yield* await this;
  }
}
