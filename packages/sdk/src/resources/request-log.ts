import type {
  ListOwnRequestCountsQuery,
  ListOwnRequestsQuery,
  LoggedRequest,
  LoggedRequestsMeta,
  RequestCount,
} from '../generated/reseller-contract.ts';
import { type CallOptions, splitOptions } from '../options.ts';
import type { ListCall } from '../requests/call.ts';
import { CursorList } from '../requests/lists.ts';
import { Resource } from '../requests/transport.ts';

/** `keyport.requests` */
export class RequestLog extends Resource {
  /**
   * Writes, and requests that were rejected or failed, of the last 7 days, newest first. `meta.omitted`
   * counts the missing requests of the range.
   *
   * @example
   * ```ts
   * for await (const request of keyport.requests.list({ status: 400 })) console.log(request.at, request.code, request.responseBody);
   * const { data } = await keyport.requests.list({ traceId: error.traceId }).page();
   * ```
   */
  list(
    filters: ListOwnRequestsQuery & CallOptions = {},
    options: CallOptions = {},
  ): CursorList<LoggedRequest, LoggedRequestsMeta> {
    return new CursorList(this.transport, '/export/v1/requests', filters, options);
  }

  /**
   * Requests that were rejected or failed.
   *
   * @example
   * ```ts
   * for await (const { at, method, path, code } of keyport.requests.failures({ from })) console.log(at, method, path, code);
   * ```
   */
  async *failures(
    filters: Omit<ListOwnRequestsQuery, 'status'> & CallOptions = {},
    options: CallOptions = {},
  ): AsyncGenerator<LoggedRequest, void, undefined> {
    for await (const request of this.list(filters, options)) if (request.status >= 400) yield request;
  }

  /** Successful reads by minute and operation, oldest first. */
  counts(
    range: ListOwnRequestCountsQuery & CallOptions = {},
    options: CallOptions = {},
  ): ListCall<RequestCount> {
    const { query, options: all } = splitOptions(range, options);
    return this.transport.readList('/export/v1/requests/counts', all, query);
  }
}
