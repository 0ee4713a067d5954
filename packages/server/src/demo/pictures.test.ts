import { deepEqual, doesNotMatch, equal, match, notEqual, ok } from 'node:assert/strict';
import fc from 'fast-check';
import { test } from 'vitest';
import {
  PICTURE_KINDS,
  PICTURE_SIZES,
  type PictureKind,
  parsePictureFile,
  picturePath,
  renderPicture,
} from './pictures.ts';

const ID = '10000004000440';
const NAME = 'Iron Meridian: Deluxe Edition (PC) Steam Key EUROPE';

test('sizes match the contract, and the SVG states them', () => {
  deepEqual(PICTURE_SIZES.thumbnail, { width: 58, height: 58 });
  deepEqual(PICTURE_SIZES.portrait, { width: 230, height: 336 });
  for (const kind of PICTURE_KINDS) {
    const { width, height } = PICTURE_SIZES[kind];
    const root = `width="${width}" height="${height}" viewBox="0 0 ${width} ${height}"`;
    ok(renderPicture(ID, NAME, kind, 1).startsWith(`<svg xmlns="http://www.w3.org/2000/svg" ${root}`), kind);
  }
});

test('equal arguments return equal bytes, and a different product or screenshot looks different', () => {
  for (const kind of PICTURE_KINDS) equal(renderPicture(ID, NAME, kind, 1), renderPicture(ID, NAME, kind, 1));
  notEqual(renderPicture(ID, NAME, 'cover', 0), renderPicture('10000004000845', NAME, 'cover', 0));
  notEqual(renderPicture(ID, NAME, 'screenshot', 1), renderPicture(ID, NAME, 'screenshot', 2));
});

test('every picture except the thumbnail shows the title, edition and platform in the name', () => {
  for (const kind of ['portrait', 'cover', 'screenshot'] as const) {
    equal(
      textsOf(renderPicture(ID, NAME, kind, 1)).join(' '),
      'Iron Meridian: Deluxe Edition PC Steam Key EUROPE',
    );
  }
});

test('face value, duration and data plan are shown', () => {
  const shows = (name: string, text: string) =>
    ok(
      textsOf(renderPicture(ID, name, 'cover', 0))
        .join(' ')
        .includes(text),
      name,
    );
  shows('Plazora Gift Card 50 EUR - Plazora Key ITALY', '50 EUR');
  shows('Plazora Premium Subscription 3 Months - Plazora Key ITALY', '3 Months');
  shows('Roamwren eSIM United Kingdom 3 GB 30 Days', '3 GB 30 Days');
  shows('Iron Meridian - Night Market (DLC) (PC) Steam Key GLOBAL', 'Night Market');
});

test('a thumbnail shows initials, except those of short words such as "of"', () => {
  deepEqual(textsOf(renderPicture(ID, 'Outrider of Brenavane (PC) Steam Key', 'thumbnail', 0)), ['OB']);
  deepEqual(textsOf(renderPicture(ID, 'Streamwick Gift Card 15 USD', 'thumbnail', 0)), ['SG']);
});

test('markup in a name is shown as text', () => {
  const name = `</text><script>alert("1")</script>&<a href='x'>`;
  for (const kind of PICTURE_KINDS) {
    const svg = renderPicture(ID, name, kind, 1);
    doesNotMatch(svg, /<script|<a /, kind);
    match(
      svg,
      /<title>&lt;\/text&gt;&lt;script&gt;alert\(&quot;1&quot;\)&lt;\/script&gt;&amp;&lt;a href=&#39;x&#39;&gt;<\/title>/,
    );
  }
});

test('any name produces well-formed XML without forbidden characters', () => {
  const names = fc.oneof(fc.string({ unit: 'binary', maxLength: 300 }), fc.string({ maxLength: 300 }));
  const wild = fc.array(
    fc.constantFrom('<', '>', '&', '"', "'", ' ', ' (', ' - ', ': ', '\0', '\ud800', '😀', 'eSIM ', '9'),
  );
  fc.assert(
    fc.property(
      fc.oneof(
        names,
        wild.map((parts) => parts.join('')),
      ),
      fc.constantFrom(...PICTURE_KINDS),
      (name, kind) => {
        assertWellFormed(renderPicture(ID, name, kind, 1));
      },
    ),
    { numRuns: 300 },
  );
});

test('a picture stays small enough to be drawn on every request', () => {
  for (const kind of PICTURE_KINDS) ok(renderPicture(ID, NAME, kind, 1).length < 64 * 1024, kind);
});

test('a file name identifies the picture that its path was made for', () => {
  const pictures: [PictureKind, number][] = [
    ['thumbnail', 0],
    ['portrait', 0],
    ['cover', 0],
    ['screenshot', 1],
    ['screenshot', 9],
  ];
  for (const [kind, index] of pictures) {
    const path = picturePath(ID, kind, index);
    ok(path.startsWith(`/media/products/${ID}/`));
    deepEqual(parsePictureFile(path.slice(path.lastIndexOf('/') + 1)), { kind, index });
  }
});

test('a file name that no product refers to is not a picture', () => {
  const names = [
    '',
    'cover',
    'cover.png',
    'Cover.svg',
    'screenshot.svg',
    'screenshot-0.svg',
    'screenshot-10.svg',
  ];
  for (const name of [...names, '../cover.svg', 'cover.svg ', 'toString.svg']) {
    equal(parsePictureFile(name), undefined, name);
  }
});

function textsOf(svg: string): string[] {
  return [...svg.matchAll(/<div[^>]*>([^<]+)/g)].map(([, text = '']) => text);
}

/** Every tag is closed in order, and text has neither bare `<` nor bare `&`. */
function assertWellFormed(svg: string): void {
  ok(svg.isWellFormed(), 'lone surrogate');
  doesNotMatch(svg, /[\u0000-\u0009\u000b-\u001f\ufffe\uffff]/);
  const open: string[] = [];
  const rest = svg.replace(
    /<(\/?)([A-Za-z]+)((?: [A-Za-z0-9:-]+="[^"<&]*")*)(\/?)>/g,
    (_, end, tag, __, empty) => {
      if (end === '/') equal(open.pop(), tag);
      else if (empty === '') open.push(tag);
      return '';
    },
  );
  deepEqual(open, []);
  doesNotMatch(rest, /[<>]|&(?!(?:amp|lt|gt|quot|#39);)/);
}
