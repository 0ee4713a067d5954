/**
 * The pictures of the demo catalogue, drawn on request as SVG: nothing is stored and nothing is fetched from elsewhere.
 * Names come from outside this file, so they are escaped, and cut to what fits.
 */
import { createRandom } from './random.ts';

export const PICTURE_KINDS = ['thumbnail', 'portrait', 'cover', 'screenshot'] as const;
export type PictureKind = (typeof PICTURE_KINDS)[number];

/** Pixels. The first two are fixed by the contract (ProductDetail), the others are ours. */
export const PICTURE_SIZES = {
  thumbnail: { width: 58, height: 58 },
  portrait: { width: 230, height: 336 },
  cover: { width: 1600, height: 900 },
  screenshot: { width: 1280, height: 720 },
} as const;

/** Mean width of a bold letter in font sizes: text cannot be measured here. */
const LETTER_WIDTH = 0.6;
const LINES_MAX = 4;

/** The path of a picture below the public URL. The index counts screenshots from 1. */
export function picturePath(productId: string, kind: PictureKind, index: number): string {
  const file = kind === 'screenshot' ? `screenshot-${index}` : kind;
  return `/media/products/${productId}/${file}.svg`;
}

/** The picture that a file name of `picturePath` stands for (screenshots 1 to 9); undefined for any other name. */
export function parsePictureFile(file: string): { kind: PictureKind; index: number } | undefined {
  const [, name, number] = /^(thumbnail|portrait|cover|screenshot(?=-))(?:-([1-9]))?\.svg$/.exec(file) ?? [];
  const kind = PICTURE_KINDS.find((one) => one === name);
  if (kind === undefined || (number !== undefined && kind !== 'screenshot')) return undefined;
  return { kind, index: Number(number ?? 0) };
}

/** An SVG document: title and platform of the name over colours of the id. The same arguments give the same bytes. */
export function renderPicture(productId: string, name: string, kind: PictureKind, index: number): string {
  const { width, height } = PICTURE_SIZES[kind];
  const text = cleanText(name);
  const [, title = text, platform = ''] = /^(.+?) (?:\(|- )(.+)$/.exec(text) ?? [];
  const hue = createRandom(`picture/${productId}`).between(0, 359);
  const random = createRandom(`picture/${productId}/${kind}/${index}`);
  const circles = Array.from({ length: 5 }, () => {
    const [x, y, radius] = [random.between(0, width), random.between(0, height), random.between(8, 40)];
    const color = `hsl(${(hue + random.between(-30, 60) + 360) % 360} 70% 70%)`;
    return `<circle cx="${x}" cy="${y}" r="${Math.round((radius * width) / 100)}" fill="${color}" opacity=".22"/>`;
  });
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" role="img">`,
    `<title>${escapeXml(text)}</title>`,
    `<defs><linearGradient id="sky" x1="0" y1="0" x2=".4" y2="1"><stop offset="0" stop-color="hsl(${hue} 55% 24%)"/>`,
    `<stop offset="1" stop-color="hsl(${(hue + 50) % 360} 60% 48%)"/></linearGradient></defs>`,
    `<rect width="${width}" height="${height}" fill="url(#sky)"/>${circles.join('')}`,
    `<g fill="#fff" font-family="'Segoe UI',Helvetica,Arial,'Liberation Sans',sans-serif" font-weight="700">`,
    kind === 'thumbnail'
      ? `<text x="29" y="39" text-anchor="middle" font-size="27">${escapeXml(initials(title))}</text>`
      : drawText(
          width,
          height,
          title,
          platform
            .replace(/ - |[()\s]+/g, ' ')
            .trim()
            .toUpperCase(),
        ),
    '</g></svg>\n',
  ].join('');
}

/** The title in the largest size in which it fits, and the platform below it, from the lower edge upwards. */
function drawText(width: number, height: number, title: string, platform: string): string {
  const margin = Math.round(width * 0.07);
  const room = width - 2 * margin;
  const caption = fit(platform, room, Math.round(width / 24), 2);
  const heading = fit(title, room, Math.round(width / (width > height ? 16 : 9)), LINES_MAX);
  let y = height - margin;
  const rows = [
    ...caption.lines.toReversed().map((line) => ({ line, size: caption.size })),
    ...heading.lines.toReversed().map((line) => ({ line, size: heading.size })),
  ];
  return rows
    .map(({ line, size }) => {
      const row = `<text x="${margin}" y="${Math.round(y)}" font-size="${size}">${escapeXml(line)}</text>`;
      y -= size * 1.3;
      return row;
    })
    .toReversed()
    .join('');
}

/** Lines in the first of three sizes in which there are few enough; in the smallest the rest is cut off. */
function fit(
  text: string,
  width: number,
  sizeMax: number,
  linesMax: number,
): { lines: string[]; size: number } {
  for (const share of [1, 0.8, 0.6]) {
    const size = Math.round(sizeMax * share);
    const room = Math.floor(width / (size * LETTER_WIDTH));
    const lines = wrap(text, room);
    const fits = lines.length <= linesMax && lines.every((line) => [...line].length <= room);
    if (!fits && share > 0.6) continue;
    const last = lines.splice(linesMax - 1).join(' ');
    return {
      size,
      lines: [...lines, last].filter((line) => line !== '').map((line) => truncate(line, room)),
    };
  }
  return { size: sizeMax, lines: [] };
}

/** Wraps words into lines of at most `lengthMax` characters; a longer word gets its own line. */
function wrap(text: string, room: number): string[] {
  const lines: string[] = [];
  for (const word of text.split(' ')) {
    const last = lines.at(-1);
    if (last === undefined || [...last].length + 1 + [...word].length > room) lines.push(word);
    else lines[lines.length - 1] = `${last} ${word}`;
  }
  return lines;
}

/** Two letters: a title cannot be read at the thumbnail's size. */
function initials(title: string): string {
  const words = title.split(' ').filter((word) => /^[\p{L}\p{N}]/u.test(word) && !/^(of|the|a)$/i.test(word));
  return words
    .slice(0, 2)
    .map((word) => [...word][0])
    .join('');
}

/** Counts code points, so that no surrogate pair is cut apart. */
function truncate(text: string, lengthMax: number): string {
  const characters = [...text];
  return characters.length <= lengthMax
    ? text
    : `${characters
        .slice(0, lengthMax - 1)
        .join('')
        .trimEnd()}…`;
}

/** Without what XML 1.0 cannot carry even escaped: control characters, lone surrogates, U+FFFE and U+FFFF. */
function cleanText(text: string): string {
  const plain = text.toWellFormed().replace(/[\u0000-\u001f\u007f-\u009f\ufffe\uffff]+/g, ' ');
  return plain.replace(/\s+/g, ' ').trim();
}

function escapeXml(text: string): string {
  const entities: Record<string, string> = { '&': 'amp', '<': 'lt', '>': 'gt', '"': 'quot', "'": '#39' };
  return text.replace(/[&<>"']/g, (character) => `&${entities[character]};`);
}
