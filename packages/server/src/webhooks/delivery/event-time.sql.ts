/** An event's id holds the microsecond of its commit. */
import { type RawBuilder, sql } from 'kysely';
import { PLACE_BITS } from '../../events/event-id.ts';

export const EVENT_MICROS = (id: string): RawBuilder<number> => sql.raw(`(${id} >> ${PLACE_BITS})`);
