/** Draws SVG pictures on request. Names are untrusted, so they are escaped. */
export const PICTURE_KINDS = ['thumbnail', 'portrait', 'cover', 'screenshot'] as const;
export type PictureKind = (typeof PICTURE_KINDS)[number];

/** Sizes in pixels. The contract fixes the first two (ProductDetail). */
const PICTURE_SIZES = {
  thumbnail: { width: 58, height: 58 },
  portrait: { width: 230, height: 336 },
  cover: { width: 1600, height: 900 },
  screenshot: { width: 1280, height: 720 },
} as const;

/** The path below the public URL. `index` counts screenshots from 1. */
export function picturePath(productId: string, kind: PictureKind, index: number): string {
  const file = kind === 'screenshot' ? `screenshot-${index}` : kind;
  return `/media/products/${productId}/${file}.svg`;
}

/** Undefined for a name that `picturePath` does not return. */
export function parsePictureFile(file: string): { kind: PictureKind; index: number } | undefined {
  const [, name, number] = /^(thumbnail|portrait|cover|screenshot(?=-))(?:-([1-9]))?\.svg$/.exec(file) ?? [];
  const kind = PICTURE_KINDS.find((one) => one === name);
  if (kind === undefined || (number !== undefined && kind !== 'screenshot')) return undefined;
  return { kind, index: Number(number ?? 0) };
}

/** Equal arguments return equal bytes. */
export function renderPicture(productId: string, name: string, kind: PictureKind, index: number): string {
  const { width, height } = PICTURE_SIZES[kind];
  const text = cleanText(name);
  const [, title = text, platform = ''] = /^(.+?) (?:\(|- )(.+)$/.exec(text) ?? [];
  const hue = (Number(productId.slice(-6)) * 7 + index * 40) % 360;
  const caption = platform.replace(/ - |[()\s]+/g, ' ').trim();
  const shown = kind === 'thumbnail' ? initials(title) : title;
  const size = Math.round(width / (kind === 'thumbnail' ? 2.2 : 12));
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" role="img">`,
    `<title>${escapeXml(text)}</title>`,
    `<defs><linearGradient id="sky" x1="0" y1="0" x2=".4" y2="1"><stop offset="0" stop-color="hsl(${hue} 55% 24%)"/>`,
    `<stop offset="1" stop-color="hsl(${(hue + 50) % 360} 60% 48%)"/></linearGradient></defs>`,
    `<rect width="${width}" height="${height}" fill="url(#sky)"/><foreignObject width="${width}" height="${height}">`,
    `<div xmlns="http://www.w3.org/1999/xhtml" style="${STYLE};font-size:${size}px">${escapeXml(shown)}`,
    kind === 'thumbnail' ? '' : `<div style="font-size:60%">${escapeXml(caption)}</div>`,
    '</div></foreignObject></svg>\n',
  ].join('');
}

const STYLE =
  'height:100%;padding:6%;box-sizing:border-box;overflow:hidden;display:flex;flex-direction:column;' +
  'justify-content:flex-end;overflow-wrap:anywhere;color:#fff;font-family:sans-serif;font-weight:700';

function initials(title: string): string {
  const words = title.split(' ').filter((word) => /^[\p{L}\p{N}]/u.test(word) && !/^(of|the|a)$/i.test(word));
  return words
    .slice(0, 2)
    .map((word) => [...word][0])
    .join('');
}

/** XML 1.0 cannot contain control characters, lone surrogates, U+FFFE or U+FFFF, even if escaped. */
function cleanText(text: string): string {
  const plain = text.toWellFormed().replace(/[\u0000-\u001f\u007f-\u009f\ufffe\uffff]+/g, ' ');
  return plain.replace(/\s+/g, ' ').trim();
}

function escapeXml(text: string): string {
  const entities: Record<string, string> = { '&': 'amp', '<': 'lt', '>': 'gt', '"': 'quot', "'": '#39' };
  return text.replace(/[&<>"']/g, (character) => `&${entities[character]};`);
}
