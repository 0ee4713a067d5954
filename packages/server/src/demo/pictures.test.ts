import { deepEqual, doesNotMatch, equal, match, notEqual, ok } from 'node:assert/strict';
import fc from 'fast-check';
import { test } from 'vitest';
import { PICTURE_KINDS, type PictureKind, parsePictureFile, picturePath, renderPicture } from './pictures.ts';

const ID = '10000004000440';
const NAME = 'Iron Meridian: Deluxe Edition (PC) Steam Key EUROPE';

test('equal arguments return equal bytes, and a different product or screenshot looks different', () => {
  for (const kind of PICTURE_KINDS) equal(renderPicture(ID, NAME, kind, 1), renderPicture(ID, NAME, kind, 1));
  notEqual(renderPicture(ID, NAME, 'cover', 0), renderPicture('10000004000845', NAME, 'cover', 0));
  notEqual(renderPicture(ID, NAME, 'screenshot', 1), renderPicture(ID, NAME, 'screenshot', 2));
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
