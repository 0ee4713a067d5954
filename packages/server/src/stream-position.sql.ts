/** Positions of workers (table stream_position), as parts of statements. */

/** The position, a number; the table's comment says of what. */
export function positionText(stream: string): string {
  return `(SELECT position FROM stream_position WHERE stream = '${stream}')`;
}

/** The stamp for a position in microseconds. */
export function stampText(position: string): string {
  return `(to_timestamp(0) + ${position} * interval '1 microsecond')`;
}
