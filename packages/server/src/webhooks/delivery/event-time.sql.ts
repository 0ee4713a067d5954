/** An event's id holds the microsecond of its commit (events/event-id.ts). */
import { type RawBuilder, sql } from 'kysely';
import { PLACE_BITS } from '../../events/event-id.ts';

/** When the event of this id happened, microseconds since the epoch. */
export const EVENT_MICROS = (id: string): RawBuilder<number> => sql.raw(`(${id} >> ${PLACE_BITS})`);
