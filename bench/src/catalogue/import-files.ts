/** NDJSON files like those of an operator, with neighboring offers for each product. */
import { randomUUID } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';

export type ImportFiles = {
  readonly products: number;
  readonly files: Readonly<Record<'sellers' | 'products' | 'offers' | 'keys', string>>;
};

const SELLERS = 50;
const OFFERS_EACH = 3;
const LINES_AT_ONCE = 1_000;

const GENRES = ['Action', 'Adventure', 'Role-playing', 'Strategy', 'Simulation', 'Racing', 'Puzzle'];
const REGIONS = ['GLOBAL', 'EUROPE', 'NORTH AMERICA', 'ASIA'];
const PLATFORMS = ['Steam', 'GOG', 'Epic', 'Xbox', 'PlayStation'];

/** Writes products with three offers each and a key for the first of them. Product ids begin at `firstId`. */
export async function writeImportFiles(
  folder: string,
  firstId: number,
  products: number,
): Promise<ImportFiles> {
  const sellerIds = Array.from({ length: SELLERS }, () => randomUUID());
  const offerIds = Array.from({ length: products * OFFERS_EACH }, () => randomUUID());
  const write = async (name: string, count: number, line: (index: number) => unknown) => {
    const path = join(folder, `${name}-${firstId}.ndjson`);
    await pipeline(Readable.from(linesOf(count, line)), createWriteStream(path));
    return path;
  };
  const files = {
    sellers: await write('sellers', SELLERS, (index) => ({ id: sellerIds[index], name: `Seller ${index}` })),
    products: await write('products', products, (index) => productLine(firstId + index, index)),
    offers: await write('offers', offerIds.length, (index) => ({
      id: offerIds[index],
      productId: String(firstId + Math.floor(index / OFFERS_EACH)),
      sellerId: sellerIds[(index * 7) % SELLERS],
      price: `${3 + (index % 60)}.${10 + (index % 90)}`,
      status: 'active',
    })),
    keys: await write('keys', products, (index) => ({
      offerId: offerIds[index * OFFERS_EACH],
      code: randomUUID().toUpperCase(),
    })),
  };
  return { products, files };
}

/** About 600 bytes. */
function productLine(id: number, index: number): unknown {
  const name = `Iron Meridian ${index}: Deluxe Edition (PC) ${PLATFORMS[index % 5]} Key ${REGIONS[index % 4]}`;
  return {
    id: String(id),
    name,
    checkoutClass: 'standard',
    platform: PLATFORMS[index % 5],
    region: REGIONS[index % 4],
    releaseDate: `20${10 + (index % 15)}-0${1 + (index % 9)}-1${index % 10}`,
    developer: `Studio ${index % 400}`,
    publisher: `Publisher ${index % 90}`,
    coverImage: `https://img.example/products/${id}/cover.jpg`,
    images: [1, 2].map((number) => `https://img.example/products/${id}/${number}.jpg`),
    categories: [{ id: String(index % 7), name: GENRES[index % 7] }],
  };
}

function* linesOf(count: number, line: (index: number) => unknown): Generator<string> {
  for (let start = 0; start < count; start += LINES_AT_ONCE) {
    let text = '';
    for (let index = start; index < Math.min(count, start + LINES_AT_ONCE); index += 1)
      text += `${JSON.stringify(line(index))}\n`;
    yield text;
  }
}
