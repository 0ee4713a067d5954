import { API_VERSION, type Event } from '@keyport/contract/webhooks/events';
import { formatDateTime } from '@keyport/core/date-time';
import type { NewEvent, OrderEventData, OrderMoment } from '@keyport/core/events';
import { formatMinor } from '@keyport/core/money';
import type { Db } from '../db/schema.ts';
import { eventMicros, formatEventId } from './event-id.ts';
import type { EventRow } from './events.sql.ts';

/** A moment is null if the order was placed as complete. */
export type LoadOrderMoments = (
  db: Db,
  orderIds: readonly string[],
) => Promise<
  (orderId: string, moment: OrderMoment | null) => Extract<Event['data'], { order: unknown }>['order']
>;

export type EventDisplay = {
  readonly loadOrderMoments: LoadOrderMoments;
  readonly onUnshown: (row: EventRow, error: unknown) => void;
};

export async function viewEvents(
  db: Db,
  rows: readonly EventRow[],
  { loadOrderMoments, onUnshown }: EventDisplay,
): Promise<(Event | undefined)[]> {
  const showOrder = await loadOrderMoments(
    db,
    rows.flatMap(({ orderId }) => (orderId === null ? [] : [orderId])),
  );
  const viewOrder = (orderId: string, data: OrderEventData | null): Event['data'] => ({
    order: showOrder(orderId, data?.order ?? null),
    ...(data?.refund && {
      refund: { amount: formatMinor(data.refund.amountMinor), items: [...data.refund.items] },
    }),
    ...(data?.expiresAtMicros !== undefined && { expiresAt: formatDateTime(data.expiresAtMicros) }),
  });
  const view = (row: EventRow): Event => {
    // `data` is what core/events.ts declares for the type.
    const event = row as unknown as NewEvent;
    return {
      id: formatEventId(row.id),
      apiVersion: API_VERSION,
      type: row.type,
      createdAt: formatDateTime(eventMicros(row.id)),
      data:
        'orderId' in event && event.orderId !== null
          ? viewOrder(event.orderId, event.data)
          : viewAccountEvent(event),
    };
  };
  return rows.map((row) => {
    try {
      return view(row);
    } catch (error) {
      onUnshown(row, error);
      return undefined;
    }
  });
}

function viewAccountEvent(event: NewEvent): Event['data'] {
  switch (event.type) {
    case 'account.balance_low': {
      const { balanceMinor, thresholdMinor } = event.data;
      return { balance: formatMinor(balanceMinor), threshold: formatMinor(thresholdMinor) };
    }
    case 'account.status_changed':
      return { status: event.data.status as Extract<Event['data'], { status: unknown }>['status'] };
    case 'claim.decided':
      return event.data as Extract<Event['data'], { claim: unknown }>;
    case 'client.changed':
      return event.data;
    case 'reservation.expired':
      return event.data as Extract<Event['data'], { reservation: unknown }>;
    case 'webhook.test':
      return { endpointId: event.data.endpointId };
    default:
      throw new Error(`the event ${event.type} has no order`);
  }
}
