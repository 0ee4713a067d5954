/**
 * The pictures of the demo catalogue, drawn on request as SVG: nothing is stored and nothing is fetched from
 * elsewhere. Products of one title share colours and scene; the id decides the details. The name comes from
 * the catalogue, which operators write: it is escaped, and cut to what fits.
 */

import { type Canvas, PALETTES, round, type Scene, verticalGradient } from './picture-canvas.ts';
import { drawEmblem, drawGiftCard, drawWindow } from './picture-designs.ts';
import { LANDSCAPES } from './picture-scenes.ts';
import { createRandom } from './random.ts';

export const PICTURE_KINDS = ['thumbnail', 'portrait', 'cover', 'screenshot'] as const;
export type PictureKind = (typeof PICTURE_KINDS)[number];

type Size = {
  readonly width: number;
  readonly height: number;
};

/** Pixels. The first two are fixed by the contract (ProductDetail), the others are ours. */
export const PICTURE_SIZES: Readonly<Record<PictureKind, Size>> = {
  thumbnail: { width: 58, height: 58 },
  portrait: { width: 230, height: 336 },
  cover: { width: 1600, height: 900 },
  screenshot: { width: 1280, height: 720 },
};

/** Where the service answers a picture, relative to its public URL. The index counts screenshots from 1. */
export function picturePath(productId: string, kind: PictureKind, index: number): string {
  const file = kind === 'screenshot' ? `screenshot-${index}` : kind;
  return `/media/products/${productId}/${file}.svg`;
}

/** The picture that a file name of `picturePath` stands for (screenshots 1 to 9); undefined for any other name. */
export function parsePictureFile(file: string): { kind: PictureKind; index: number } | undefined {
  const screenshot = /^screenshot-([1-9])\.svg$/.exec(file)?.[1];
  if (screenshot !== undefined) return { kind: 'screenshot', index: Number(screenshot) };
  const kind = PICTURE_KINDS.find((candidate) => candidate !== 'screenshot' && file === `${candidate}.svg`);
  return kind === undefined ? undefined : { kind, index: 0 };
}

/** An SVG document. The same arguments give the same bytes; index matters to screenshots only (1 and up). */
export function renderPicture(productId: string, name: string, kind: PictureKind, index: number): string {
  const { width, height } = PICTURE_SIZES[kind];
  const label = splitName(cleanText(name));
  const style = createRandom(`picture/${label.family}`);
  const palette = style.pick(PALETTES);
  const canvas: Canvas = { width, height, palette, random: createRandom(`picture/${productId}/${index}`) };
  const scene = pickScene(name, style.between(0, LANDSCAPES.length - 1), kind, index);
  return (
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" role="img">` +
    `<title>${escapeXml(cleanText(name))}</title>${scene(canvas)}${drawText(canvas, kind, label)}</svg>\n`
  );
}

/** What a name says, in the parts that a picture shows. */
type Label = {
  readonly title: string;
  /** Edition, add-on, face value or duration; empty when the name has none. */
  readonly detail: string;
  /** Platform and region; empty when the name has none. */
  readonly caption: string;
  /** What products of the same title have in common. */
  readonly family: string;
};

/** Reads names such as "Title: Edition (PC) Steam Key EUROPE" and "Brand Gift Card 50 EUR - Brand Key ITALY". */
function splitName(name: string): Label {
  const parenthesis = name.indexOf(' (');
  const cut = parenthesis > 0 ? parenthesis : name.indexOf(' - ');
  const product = cut > 0 ? name.slice(0, cut) : name;
  const rest = cut > 0 ? name.slice(cut) : '';
  const caption = rest.replace(/ - |[()\s]+/g, ' ').trim();
  const parts = /^(.+?)(?:: (\S+ Edition)| - (.+)|(?<=Gift Card|Top-Up|Subscription|eSIM \D+) (\d.*))$/.exec(
    product,
  );
  const title = parts?.[1] ?? product;
  const family = title.split(/: | Gift Card| Premium| Prepaid| eSIM| Mobile /)[0] ?? title;
  return { title, detail: parts?.[2] ?? parts?.[3] ?? parts?.[4] ?? '', caption, family };
}

function pickScene(name: string, start: number, kind: PictureKind, index: number): Scene {
  if (/\b(Gift Card|Prepaid)\b/.test(name)) return drawGiftCard;
  if (/\b(eSIM|Subscription|Devices?|Lifetime)\b/.test(name)) {
    return kind === 'screenshot' ? drawWindow : drawEmblem;
  }
  return LANDSCAPES[(start + index) % LANDSCAPES.length] ?? drawEmblem;
}

function drawText(canvas: Canvas, kind: PictureKind, label: Label): string {
  if (kind === 'thumbnail') return drawInitials(canvas, label.family);
  if (kind === 'screenshot') return drawCorner(canvas, label.title);
  return drawTitle(canvas, label, kind === 'cover' ? 84 : 27);
}

const FONT = `font-family="'Segoe UI','Helvetica Neue',Helvetica,Arial,'Liberation Sans',sans-serif"`;
/** Mean width of a bold letter and of a spaced small capital, in font sizes: SVG text cannot be measured here. */
const BOLD_WIDTH = 0.6;
const CAPTION_WIDTH = 0.72;

/** Title, detail and caption at the lower edge, on a shade that keeps them readable over any scene. */
function drawTitle(canvas: Canvas, label: Label, sizeMax: number): string {
  const { width, height, palette } = canvas;
  const margin = round(width * 0.07);
  const room = width - 2 * margin;
  const title = fitText(label.title, { width: room, sizeMax, linesMax: 4 });
  const detail = fitText(label.detail, { width: room, sizeMax: sizeMax * 0.64, linesMax: 1 });
  const captionSize = round(sizeMax * 0.37);
  const caption = wrap(label.caption.toUpperCase(), Math.floor(room / (captionSize * CAPTION_WIDTH)));
  // From the lower edge upwards: each block stands on the one below it.
  const captionTop = height - margin - caption.length * captionSize * 1.35;
  const detailTop = captionTop - (label.detail === '' ? 0 : detail.size * 1.4);
  const titleTop = detailTop - title.lines.length * title.size * 1.1 - sizeMax * 0.1;
  const lines = (texts: readonly string[], top: number, size: number, lead: number) =>
    texts
      .map(
        (text, index) =>
          `<text x="${margin}" y="${round(top + size + index * size * lead)}">${escapeXml(text)}</text>`,
      )
      .join('');
  return [
    drawShade(canvas, titleTop),
    `<rect x="${margin}" y="${round(titleTop - sizeMax * 0.22)}" width="${round(sizeMax * 1.5)}" height="${round(sizeMax * 0.13)}" fill="${palette.skyLow}"/>`,
    `<g ${FONT} font-weight="800" fill="#fff" font-size="${title.size}">${lines(title.lines, titleTop, title.size, 1.1)}</g>`,
    `<g ${FONT} font-weight="700" fill="${palette.light}" font-size="${detail.size}">${lines(detail.lines, detailTop, detail.size, 1)}</g>`,
    `<g ${FONT} font-weight="600" fill="#fff" opacity=".78" font-size="${captionSize}" letter-spacing="${round(captionSize * 0.06)}">`,
    `${lines(caption, captionTop + captionSize * 0.35, captionSize, 1.35)}</g>`,
  ].join('');
}

/** Darkness that begins a little above the text and is nearly complete at the lower edge. */
function drawShade(canvas: Canvas, textTop: number): string {
  const { width, height, palette } = canvas;
  const share = textTop / height;
  const stops = [
    [round((share - 0.2) * 100) / 100, palette.ground, 0],
    [round((share + 0.06) * 100) / 100, palette.ground, 0.62],
    [1, palette.ground, 0.94],
  ] as const;
  return `<defs>${verticalGradient('shade', stops)}</defs><rect width="${width}" height="${height}" fill="url(#shade)"/>`;
}

/** Two letters: a title cannot be read at the thumbnail's size. */
function drawInitials(canvas: Canvas, family: string): string {
  const { width, height, palette } = canvas;
  const words = family
    .split(/\s+/)
    .filter((word) => /^[\p{L}\p{N}]/u.test(word) && !/^(of|the|a)$/i.test(word));
  const letters = (
    words.length > 1 ? words.slice(0, 2).map(firstCharacter) : [[...family].slice(0, 2).join('')]
  ).join('');
  return (
    `<rect width="${width}" height="${height}" fill="${palette.ground}" opacity=".28"/>` +
    `<text x="29" y="39" text-anchor="middle" ${FONT} font-weight="800" font-size="27" fill="#fff" stroke="${palette.ground}" stroke-width="3" stroke-opacity=".55" paint-order="stroke" stroke-linejoin="round">${escapeXml(letters)}</text>`
  );
}

function firstCharacter(word: string): string {
  return [...word][0] ?? '';
}

/** A small caption in the corner of a screenshot. */
function drawCorner(canvas: Canvas, title: string): string {
  const { width, height, palette } = canvas;
  const text = truncate(title, 48);
  const boxWidth = round([...text].length * 24 * BOLD_WIDTH + 56);
  return (
    `<rect x="${width - boxWidth - 32}" y="${height - 80}" width="${boxWidth}" height="48" rx="24" fill="${palette.ground}" opacity=".7"/>` +
    `<text x="${round(width - 32 - boxWidth / 2)}" y="${height - 48}" text-anchor="middle" ${FONT} font-weight="700" font-size="24" fill="#fff">${escapeXml(text)}</text>`
  );
}

/** The text in the largest size (down to 60 % of the maximum) in which the lines hold it; then cut short. */
function fitText(
  text: string,
  limits: { readonly width: number; readonly sizeMax: number; readonly linesMax: number },
): { lines: string[]; size: number } {
  const roomAt = (size: number) => Math.floor(limits.width / (size * BOLD_WIDTH));
  for (const share of [1, 0.9, 0.8, 0.7]) {
    const size = round(limits.sizeMax * share);
    const lines = wrap(text, roomAt(size));
    if (lines.length <= limits.linesMax && lines.every((line) => [...line].length <= roomAt(size))) {
      return { lines, size };
    }
  }
  const size = round(limits.sizeMax * 0.6);
  const lines = wrap(text, roomAt(size));
  const lastLine = lines.splice(limits.linesMax - 1).join(' ');
  if (lastLine !== '') lines.push(lastLine);
  return { lines: lines.map((line) => truncate(line, roomAt(size))), size };
}

/** Words put into lines of at most `room` characters; a longer word has a line of its own. */
function wrap(text: string, room: number): string[] {
  const lines: string[] = [];
  for (const word of text.split(' ').filter((part) => part !== '')) {
    const last = lines.at(-1);
    if (last !== undefined && [...last].length + 1 + [...word].length <= room)
      lines[lines.length - 1] = `${last} ${word}`;
    else lines.push(word);
  }
  return lines;
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
  return text
    .toWellFormed()
    .replace(/[\u0000-\u001f\u007f-\u009f\ufffe\uffff]+/g, ' ')
    .replace(/\s+/g, ' ')
    .trim();
}

function escapeXml(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll("'", '&#39;');
}
