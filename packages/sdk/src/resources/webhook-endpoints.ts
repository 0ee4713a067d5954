import type {
  EventType,
  ListWebhookDeliveriesQuery,
  RotatedWebhookEndpoint,
  WebhookDelivery,
  WebhookEndpoint,
  WebhookEndpointWithSecret,
  WebhooksQueued,
  WebhooksReplayed,
  WebhookTest,
} from '../generated/reseller-contract.ts';
import type { CallOptions } from '../options.ts';
import type { Call, ListCall } from '../requests/call.ts';
import { PagedList } from '../requests/lists.ts';
import { segment } from '../requests/segment.ts';
import { Resource } from '../requests/transport.ts';

/** Members of a new endpoint. */
export interface WebhookEndpointInput {
  readonly url: string;
  /** Types of events, or `['*']`. */
  readonly types: readonly (EventType | '*')[];
  readonly description?: string | null | undefined;
}

/** Members to change. */
export interface WebhookEndpointChange extends Partial<WebhookEndpointInput> {
  readonly status?: 'enabled' | 'disabled' | undefined;
}

const PATH = '/export/v1/webhook-endpoints';
const toPath = (id: string) => `${PATH}/${segment('endpointId', id)}`;

/** `keyport.webhookEndpoints` */
export class WebhookEndpoints extends Resource {
  /**
   * Creates an endpoint. Store its secret: it is not shown again.
   *
   * @example
   * ```ts
   * const { id, secret } = await keyport.webhookEndpoints.create({ url: 'https://shop.example/keyport', types: ['*'] });
   * ```
   */
  create(input: WebhookEndpointInput, options?: CallOptions): Call<WebhookEndpointWithSecret> {
    return this.transport.write('POST', PATH, input, options);
  }

  /** All endpoints. */
  list(options?: CallOptions): ListCall<WebhookEndpoint> {
    return this.transport.readList(PATH, options);
  }

  /** One endpoint. */
  get(id: string, options?: CallOptions): Call<WebhookEndpoint> {
    return this.transport.read(toPath(id), options);
  }

  /** Changes only the given members. */
  update(id: string, change: WebhookEndpointChange, options?: CallOptions): Call<WebhookEndpoint> {
    return this.transport.write('PATCH', toPath(id), change, options);
  }

  /** Deletes an endpoint. */
  delete(id: string, options?: CallOptions): Call<void> {
    return this.transport.write('DELETE', toPath(id), undefined, options);
  }

  /** A new secret. Until `previousValidUntil` (default: 24 hours), the old one signs webhooks too. */
  rotateSecret(
    id: string,
    input: { readonly overlapHours?: number | undefined } = {},
    options?: CallOptions,
  ): Call<RotatedWebhookEndpoint> {
    return this.transport.write('POST', `${toPath(id)}/rotate-secret`, input, options);
  }

  /** Sends a `webhook.test` to the endpoint. */
  test(id: string, options?: CallOptions): Call<WebhookTest> {
    return this.transport.write('POST', `${toPath(id)}/test`, undefined, options);
  }

  /** Newest first. */
  deliveries(
    id: string,
    filters: ListWebhookDeliveriesQuery & CallOptions = {},
    options: CallOptions = {},
  ): PagedList<WebhookDelivery> {
    return new PagedList<WebhookDelivery>(this.transport, `${toPath(id)}/deliveries`, filters, options);
  }

  /** Sends a delivery again immediately. */
  redeliver(id: string, deliveryId: string, options?: CallOptions): Call<WebhooksQueued> {
    const path = `${toPath(id)}/deliveries/${segment('deliveryId', deliveryId)}/redeliver`;
    return this.transport.write('POST', path, undefined, options);
  }

  /**
   * Replays the events of a period, both ends included. Requires a `test` to the URL that returned 2xx. Only
   * one replay runs at a time. `eventsKeptFrom` is set if the period begins before the events that are kept.
   */
  replay(
    id: string,
    range: { readonly from: string; readonly to: string },
    options?: CallOptions,
  ): Call<WebhooksReplayed> {
    return this.transport.write('POST', `${toPath(id)}/replay`, range, options);
  }
}
