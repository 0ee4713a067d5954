/**
 * Writes a catalogue of any size directly to the database: the rows that reads need, without product keys.
 * Nothing can be bought, and `verify` would report violations.
 */
import { randomUUID } from 'node:crypto';
import { Client } from 'pg';

const OFFERS_EACH = 3;

const FIRST_ID = 10_000_000_000_000;

export function toProductId(index: number): string {
  return String(FIRST_ID + index);
}

const DETAILS = {
  slug: 'iron-meridian-deluxe-edition',
  region: 'EUROPE',
  developer: 'Northern Forge',
  publisher: 'Meridian House',
  releaseDate: '2026-05-14',
  platform: 'Steam',
  categories: [
    { id: '1', name: 'Action' },
    { id: '7', name: 'Role-playing' },
  ],
  requirements: {
    minimal: {
      processor: '4 cores, 3 GHz',
      graphics: '4 GB of memory',
      memory: '8 GB',
      diskSpace: '60 GB',
      system: 'Windows 10',
      other: null,
    },
  },
  restrictions: { rating: '16', descriptors: ['violence', 'in-game purchases'] },
  thumbnail: 'https://pictures.example/thumbnail.png',
  portraitImage: 'https://pictures.example/portrait.png',
  coverImage: 'https://pictures.example/cover.png',
  images: ['https://pictures.example/1.png', 'https://pictures.example/2.png'],
  videos: null,
};

/** Adds the products from index `from` up to but not including `to`. */
export async function seedCatalogue(databaseUrl: string, from: number, to: number): Promise<void> {
  const client = new Client(databaseUrl);
  await client.connect();
  try {
    // Triggers and foreign keys of three million offers would take most of the time.
    await client.query('SET session_replication_role = replica');
    const sellerId = randomUUID();
    await client.query(`INSERT INTO seller (id, name) VALUES ($1, 'Bench seller')`, [sellerId]);
    await client.query(
      `INSERT INTO product (id, name, checkout_class, details)
      SELECT ${FIRST_ID} + index, 'Iron Meridian ' || index || ': Deluxe Edition (PC) Key EUROPE', 'standard', $3
      FROM generate_series($1::bigint, $2 - 1) AS index`,
      [from, to, JSON.stringify(DETAILS)],
    );
    await client.query(
      `INSERT INTO offer (id, product_id, seller_id, price_minor, status, end_unit)
      SELECT gen_random_uuid(), ${FIRST_ID} + index, $3, 500 + (index * 7 + number * 13) % 4000, 'active',
        2 + (index + number) % 90
      FROM generate_series($1::bigint, $2 - 1) AS index, generate_series(1, ${OFFERS_EACH}) AS number`,
      [from, to, sellerId],
    );
    // Stamps are spread over the last 29 days, in a different order than the ids.
    await client.query(
      `INSERT INTO product_stamp (product_id, stamp, first_stamp)
      SELECT ${FIRST_ID} + index, stamp, stamp
      FROM generate_series($1::bigint, $2 - 1) AS index, LATERAL (SELECT now() - interval '29 days'
        + (index * 7919 % 2500000) * interval '1 second' + index * interval '1 microsecond' AS stamp) AS given`,
      [from, to],
    );
    await client.query('VACUUM (ANALYZE) product, offer, product_stamp');
    await client.query('CHECKPOINT');
  } finally {
    await client.end();
  }
}
