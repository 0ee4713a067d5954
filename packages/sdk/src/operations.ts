/** Operations called by their names, and every element of their lists. */

import { BaseClient } from './client.ts';
import type { CallOptions, KeyportOptions } from './options.ts';
import type { Call } from './requests/call.ts';
import { segment } from './requests/segment.ts';

/** `params` of the operation's path, `query`, and `body`. */
export type InputOf<All, Name extends keyof All> = Omit<All[Name], 'answer'>;

/** The whole page with its `meta` for a list, otherwise the `data`. */
export type AnswerOf<All, Name extends keyof All> = All[Name] extends { answer: infer Answer }
  ? Answer extends { meta: unknown }
    ? Answer
    : Answer extends { data: infer Data }
      ? Data
      : Answer
  : never;

/** Lists that `all` can read. */
export type ListOf<All> = {
  [Name in keyof All]: All[Name] extends { answer: { data: unknown[]; meta: unknown } } ? Name : never;
}[keyof All];

/** An element of a list. */
export type ElementOf<All, Name extends ListOf<All>> = All[Name] extends { answer: { data: (infer Item)[] } }
  ? Item
  : never;

/** Method, path, whether it takes an Idempotency-Key, whether it responds without a body, and how a list continues. */
export type OperationRow = readonly [
  method: string,
  path: string,
  takesKey: boolean,
  mayBeEmpty: boolean,
  paging: 'cursor' | 'after' | 'page',
];

type Parts = {
  readonly params?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, unknown>>;
  readonly body?: unknown;
};

/** A client of the operations in a table. `All` has the input and the response of each. */
export class OperationsClient<All> extends BaseClient {
  /** @internal */
  readonly #table: Readonly<Record<keyof All, OperationRow>>;

  constructor(options: KeyportOptions, table: Readonly<Record<keyof All, OperationRow>>) {
    super(options);
    this.#table = table;
  }

  /**
   * Calls an operation by name. Writes take effect once: they have an idempotency key, yours or a new one.
   */
  call<Name extends keyof All>(
    name: Name,
    input: InputOf<All, Name>,
    options?: CallOptions,
  ): Call<AnswerOf<All, Name>> {
    const [method, pattern, takesKey, mayBeEmpty] = this.#table[name];
    const { params = {}, query, body }: Parts = input;
    const path = pattern.replace(/\{(\w+)\}/g, (_, param: string) => segment(param, params[param] ?? ''));
    const call = this.transport.envelope({ method, path, query, body, takesKey, mayBeEmpty }, options);
    return call.map((answer) => ('meta' in answer ? answer : answer['data']) as AnswerOf<All, Name>);
  }

  /** Every element of a list, on all pages. */
  async *all<Name extends ListOf<All>>(
    name: Name,
    input: InputOf<All, Name> = {} as InputOf<All, Name>,
    options?: CallOptions,
  ): AsyncGenerator<ElementOf<All, Name>, void, undefined> {
    const [, , , , paging] = this.#table[name];
    const { itemsPerPage, ...asked }: Record<string, unknown> = { ...(input as Parts).query };
    const isByCursor = paging === 'cursor' && asked['page'] === undefined;
    let query: Record<string, unknown> = isByCursor
      ? { limit: itemsPerPage ?? 100, ...asked }
      : { itemsPerPage, ...asked };
    for (;;) {
      const page = (await this.call(name, { ...input, query }, options)) as unknown as {
        readonly data: ElementOf<All, Name>[];
        readonly meta: { page: number; hasNext: boolean } | { nextCursor: string | null; hasMore: boolean };
      };
      yield* page.data;
      const { meta } = page;
      if ('hasNext' in meta) {
        if (!meta.hasNext) return;
        const after = paging === 'after' ? Object(page.data.at(-1)).id : undefined;
        query = { ...query, ...(after === undefined ? { page: meta.page + 1 } : { after, page: 1 }) };
      } else {
        if (meta.nextCursor === null || !meta.hasMore) return;
        query = { ...query, cursor: meta.nextCursor };
      }
    }
  }
}
