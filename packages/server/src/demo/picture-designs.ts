/**
 * The designs of the demo pictures for what is not a game: gift cards, software and services. They follow the
 * same rule as the scenes: any size, given colours, every choice from the canvas's random numbers.
 */

import { type Canvas, fill, mix, type Point, round, spread, verticalGradient } from './picture-canvas.ts';

/** Where a design stands so that text at the lower edge (left, on a wide canvas) does not cover it. */
function centerStage({ width, height }: Canvas): Point {
  const isWide = width > height * 1.2;
  return { x: round(width * (isWide ? 0.73 : 0.5)), y: round(height * (isWide ? 0.42 : 0.34)) };
}

/** A gift card with a ribbon, tilted on a plain ground. */
export function drawGiftCard(canvas: Canvas): string {
  const { width, height, random, palette } = canvas;
  const cardWidth = Math.min(width * 0.74, height * 0.72);
  const cardHeight = cardWidth * 0.63;
  const { x, y } = centerStage(canvas);
  const place = `translate(${x} ${y}) rotate(-8)`;
  const box = `x="${round(-cardWidth / 2)}" y="${round(-cardHeight / 2)}" width="${round(cardWidth)}" height="${round(cardHeight)}" rx="${round(cardWidth * 0.06)}"`;
  const rings = Array.from({ length: 4 }, (_, index) => {
    const r = round(cardWidth * (0.16 + index * 0.15));
    return `<circle cx="${round(cardWidth * 0.5)}" cy="${round(cardHeight * 0.5)}" r="${r}" fill="none" stroke="${palette.light}" stroke-width="${round(cardWidth * 0.035)}" opacity="${round(4 - index) / 12}"/>`;
  });
  const ribbonX = round(-cardWidth * spread(random, 0.2, 0.26));
  const ribbon = round(cardWidth * 0.08);
  const bow = round(cardWidth * 0.14);
  const loops = `M0 0C${-bow * 0.4} ${-bow} ${-bow * 1.5} ${-bow * 0.9} ${-bow * 1.2} ${-bow * 0.15}Q${-bow * 0.8} ${bow * 0.3} 0 0C${bow * 0.4} ${-bow} ${bow * 1.5} ${-bow * 0.9} ${bow * 1.2} ${-bow * 0.15}Q${bow * 0.8} ${bow * 0.3} 0 0Z`;
  return [
    `<defs>${verticalGradient('sky', [
      [0, palette.skyMiddle],
      [1, palette.skyTop],
    ])}${verticalGradient('card', [
      [0, palette.skyLow],
      [1, palette.skyMiddle],
    ])}<clipPath id="edge"><rect ${box}/></clipPath></defs>`,
    fill(canvas, 'url(#sky)'),
    `<g transform="${place}"><rect ${box} fill="${palette.ground}" opacity=".35" transform="translate(${round(cardWidth * 0.02)} ${round(cardWidth * 0.05)})"/>`,
    `<rect ${box} fill="url(#card)"/><g clip-path="url(#edge)">${rings.join('')}`,
    `<path d="M${ribbonX} ${round(-cardHeight / 2)}h${ribbon}v${round(cardHeight)}h${-ribbon}Z" fill="${palette.light}"/>`,
    `<path d="M${round(-cardWidth / 2)} ${round(-cardHeight * 0.12)}h${round(cardWidth)}v${ribbon}h${round(-cardWidth)}Z" fill="${palette.light}" opacity=".92"/></g>`,
    `<path d="${loops}" transform="translate(${ribbonX + ribbon / 2} ${round(-cardHeight * 0.12 + ribbon / 2)})" fill="${mix(palette.light, palette.skyLow, 0.3)}" stroke="${palette.ground}" stroke-opacity=".18" stroke-width="${round(cardWidth * 0.008)}"/></g>`,
  ].join('');
}

/** An emblem of overlapping round shapes on a dotted ground, for software and services. */
export function drawEmblem(canvas: Canvas): string {
  const { width, height, random, palette } = canvas;
  const unit = Math.min(width, height);
  const size = unit * 0.5;
  const stage = centerStage(canvas);
  const step = unit / 12;
  let dots = '';
  for (let y = step / 2; y < height; y += step) {
    for (let x = step / 2; x < width; x += step) dots += `M${round(x)} ${round(y)}h0`;
  }
  const turns = random.pick([3, 4, 5, 6]);
  const petals = Array.from({ length: turns }, (_, index) => {
    const angle = round((360 / turns) * index + 20);
    const tone = mix(palette.light, palette.skyLow, index / turns);
    return `<rect x="${round(-size * 0.11)}" y="${round(-size * 0.34)}" width="${round(size * 0.22)}" height="${round(size * 0.42)}" rx="${round(size * 0.11)}" fill="${tone}" opacity=".82" transform="rotate(${angle})"/>`;
  });
  const box = `x="${round(-size / 2)}" y="${round(-size / 2)}" width="${round(size)}" height="${round(size)}" rx="${round(size * 0.24)}"`;
  return [
    `<defs>${verticalGradient('sky', [
      [0, palette.skyTop],
      [1, mix(palette.skyTop, palette.skyMiddle, 0.8)],
    ])}${verticalGradient('tile', [
      [0, palette.skyMiddle],
      [1, mix(palette.skyMiddle, palette.ground, 0.75)],
    ])}</defs>`,
    fill(canvas, 'url(#sky)'),
    `<path d="${dots}" stroke="${palette.light}" stroke-width="${round(unit * 0.006)}" stroke-linecap="round" opacity=".22"/>`,
    `<g transform="translate(${stage.x} ${stage.y})"><rect ${box} fill="${palette.ground}" opacity=".4" transform="translate(0 ${round(size * 0.06)})"/>`,
    `<rect ${box} fill="url(#tile)" stroke="${palette.light}" stroke-opacity=".3" stroke-width="${round(size * 0.012)}"/>${petals.join('')}`,
    `<circle r="${round(size * 0.09)}" fill="${palette.ground}"/></g>`,
  ].join('');
}

/** A program's window: bar, side list, chart and rows. */
export function drawWindow(canvas: Canvas): string {
  const { width, height, random, palette } = canvas;
  const paper = mix(palette.light, '#ffffff', 0.6);
  const [left, top, right, bottom] = [width * 0.08, height * 0.08, width * 0.92, height * 0.84];
  const rectangle = (x: number, y: number, w: number, h: number, color: string, radius = 0, opacity = 1) =>
    `<rect x="${round(x)}" y="${round(y)}" width="${round(w)}" height="${round(h)}" rx="${radius}" fill="${color}" opacity="${opacity}"/>`;
  const side = (right - left) * 0.2;
  const items = Array.from({ length: 8 }, (_, index) =>
    rectangle(
      left + 28,
      top + 84 + index * 48,
      side * spread(random, 0.4, 0.75),
      14,
      palette.light,
      7,
      index === 1 ? 0.95 : 0.4,
    ),
  );
  const chartLeft = left + side + 40;
  const chartWidth = right - chartLeft - 40;
  const bars = Array.from({ length: 12 }, (_, index) => {
    const tall = height * spread(random, 0.06, 0.28);
    const color = index % 3 === 0 ? palette.skyLow : palette.skyMiddle;
    return rectangle(
      chartLeft + (chartWidth / 12) * index,
      top + height * 0.42 - tall,
      chartWidth / 18,
      tall,
      color,
      5,
    );
  });
  const rows = Array.from({ length: 4 }, (_, index) =>
    rectangle(
      chartLeft,
      top + height * 0.48 + index * 46,
      chartWidth * spread(random, 0.45, 1),
      16,
      palette.skyMiddle,
      8,
      0.28,
    ),
  );
  const buttons = [palette.skyLow, palette.light, palette.skyMiddle].map(
    (color, index) =>
      `<circle cx="${round(left + 28 + index * 26)}" cy="${round(top + 24)}" r="8" fill="${color}"/>`,
  );
  return [
    `<defs>${verticalGradient('sky', [
      [0, palette.skyMiddle],
      [1, palette.skyTop],
    ])}</defs>`,
    fill(canvas, 'url(#sky)'),
    rectangle(left + 8, top + 18, right - left, bottom - top, palette.ground, 18, 0.35),
    rectangle(left, top, right - left, bottom - top, paper, 18),
    rectangle(left, top, side, bottom - top, palette.skyTop, 18),
    ...buttons,
    ...items,
    ...bars,
    ...rows,
  ].join('');
}
