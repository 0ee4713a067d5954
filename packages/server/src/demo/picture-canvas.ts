/** What the scenes of the demo pictures are drawn with: colours, shapes and gradients as SVG text. */

import type { Random } from './random.ts';

/** Colours of one title, `#rrggbb`. Every picture of the title uses the same. */
export type Palette = {
  readonly skyTop: string;
  readonly skyMiddle: string;
  readonly skyLow: string;
  /** Sun, moon, windows, accents. */
  readonly light: string;
  /** The darkest: foreground and the shade behind the text. */
  readonly ground: string;
};

export type Canvas = {
  readonly width: number;
  readonly height: number;
  readonly palette: Palette;
  readonly random: Random;
};

/** Draws the background of a picture, without text. */
export type Scene = (canvas: Canvas) => string;

export type Point = {
  readonly x: number;
  readonly y: number;
};

export const PALETTES: readonly Palette[] = [
  palette('#1a1446', '#7b2d8e', '#ff8c61', '#ffe3b0', '#150d2e'),
  palette('#0b2545', '#3a7ca5', '#d3ecfb', '#ffffff', '#0a1b33'),
  palette('#06302b', '#1f7a5c', '#d7e98f', '#fffbd1', '#04201d'),
  palette('#1d0a0a', '#8f1d1d', '#ff7b3a', '#ffd27a', '#140606'),
  palette('#3d1f4d', '#d1603d', '#f7c873', '#fff2cf', '#2a1224'),
  palette('#021b3a', '#046a8f', '#4ed0c7', '#e9fff9', '#011128'),
  palette('#2b1030', '#b03a6f', '#ffb3a7', '#fff0e6', '#1f0a22'),
  palette('#071a2c', '#0d5c63', '#9be3b5', '#f0ffe0', '#05121f'),
  palette('#120b33', '#4a2fbd', '#b58cff', '#fce8ff', '#0c0722'),
  palette('#2a1a06', '#a8641b', '#ffd166', '#fff6d6', '#1c1003'),
  palette('#16213e', '#533483', '#f2668b', '#ffe6ea', '#0f1020'),
  palette('#1b2838', '#4f7396', '#f3d9b1', '#fffaf0', '#0f1822'),
  palette('#0a2239', '#1d7874', '#f4a78a', '#fff3e6', '#071728'),
];

function palette(skyTop: string, skyMiddle: string, skyLow: string, light: string, ground: string): Palette {
  return { skyTop, skyMiddle, skyLow, light, ground };
}

/** A colour between two; share 0 is the first, 1 the second. */
export function mix(from: string, to: string, share: number): string {
  const channel = (index: number) => {
    const low = Number.parseInt(from.slice(index, index + 2), 16);
    const high = Number.parseInt(to.slice(index, index + 2), 16);
    return Math.round(low + (high - low) * share)
      .toString(16)
      .padStart(2, '0');
  };
  return `#${channel(1)}${channel(3)}${channel(5)}`;
}

/** A coordinate with one decimal: enough for the eye, and half the bytes. */
export function round(value: number): number {
  return Math.round(value * 10) / 10;
}

/** A number from `min` to `max`, not whole. */
export function spread(random: Random, min: number, max: number): number {
  return min + (max - min) * random.unit();
}

/** Path data through the points; closed when it is a shape. */
export function polygon(points: readonly Point[]): string {
  return `M${points.map(({ x, y }) => `${round(x)} ${round(y)}`).join('L')}Z`;
}

/** A vertical gradient as a `<linearGradient>`; stops are [offset 0..1, colour, opacity]. */
export function verticalGradient(
  id: string,
  stops: readonly (readonly [offset: number, color: string, opacity?: number])[],
): string {
  const marks = stops.map(
    ([offset, color, opacity = 1]) =>
      `<stop offset="${offset}" stop-color="${color}" stop-opacity="${opacity}"/>`,
  );
  return `<linearGradient id="${id}" x1="0" y1="0" x2="0" y2="1">${marks.join('')}</linearGradient>`;
}

/** Heights (0..1) of a rugged line with 2^depth + 1 points, by displacing midpoints. */
export function ruggedLine(random: Random, depth: number, roughness: number): number[] {
  let line = [random.unit(), random.unit()];
  let reach = 0.5;
  for (let level = 0; level < depth; level += 1) {
    line = line.flatMap((height, index) => {
      const next = line[index + 1];
      return next === undefined ? [height] : [height, (height + next) / 2 + spread(random, -reach, reach)];
    });
    reach *= roughness;
  }
  const low = Math.min(...line);
  const range = Math.max(...line) - low || 1;
  return line.map((height) => (height - low) / range);
}

/** Path data of a filled ridge: peaks at `top`, valleys `relief` lower, down to the bottom of the canvas. */
export function ridge(canvas: Canvas, heights: readonly number[], top: number, relief: number): string {
  const step = canvas.width / (heights.length - 1);
  const line = heights.map((height, index) => ({ x: index * step, y: top + (1 - height) * relief }));
  return polygon([{ x: 0, y: canvas.height }, ...line, { x: canvas.width, y: canvas.height }]);
}

/** The whole canvas filled with the sky of the palette. */
export function sky(canvas: Canvas): string {
  const { skyTop, skyMiddle, skyLow } = canvas.palette;
  const stops = [
    [0, skyTop],
    [0.38, skyMiddle],
    [0.66, skyLow],
  ] as const;
  return `<defs>${verticalGradient('sky', stops)}</defs>${fill(canvas, 'url(#sky)')}`;
}

export function fill(canvas: Canvas, paint: string): string {
  return `<rect width="${canvas.width}" height="${canvas.height}" fill="${paint}"/>`;
}

/** Sun or moon with a wide glow. */
export function glowingDisc(canvas: Canvas, center: Point, radius: number): string {
  const { light } = canvas.palette;
  const [x, y] = [round(center.x), round(center.y)];
  return (
    `<defs><radialGradient id="glow"><stop offset="0" stop-color="${light}" stop-opacity=".75"/>` +
    `<stop offset=".35" stop-color="${light}" stop-opacity=".25"/>` +
    `<stop offset="1" stop-color="${light}" stop-opacity="0"/></radialGradient></defs>` +
    `<circle cx="${x}" cy="${y}" r="${round(radius * 4.2)}" fill="url(#glow)"/>` +
    `<circle cx="${x}" cy="${y}" r="${round(radius)}" fill="${light}"/>`
  );
}

/** Stars over the upper part of the canvas, as dots of one path each size. */
export function stars(canvas: Canvas, count: number, depth: number): string {
  const { width, height, random, palette } = canvas;
  const unit = Math.min(width, height) / 400;
  const dots = (amount: number) =>
    Array.from({ length: amount }, () => {
      const fade = random.unit() * random.unit();
      return `M${round(random.unit() * width)} ${round(fade * height * depth)}h0`;
    }).join('');
  const layer = (amount: number, size: number, opacity: number) =>
    `<path d="${dots(amount)}" stroke="${palette.light}" stroke-width="${round(size * unit)}" stroke-linecap="round" opacity="${opacity}"/>`;
  return layer(count, 0.9, 0.55) + layer(Math.ceil(count / 5), 1.9, 0.9);
}

/** A flock of birds as small strokes. */
export function birds(canvas: Canvas, center: Point, size: number): string {
  const { random, palette } = canvas;
  const strokes = Array.from({ length: random.between(4, 7) }, () => {
    const x = center.x + spread(random, -5, 5) * size;
    const y = center.y + spread(random, -2.2, 2.2) * size;
    const wing = size * spread(random, 0.5, 1);
    const half = round(wing / 2);
    return `M${round(x)} ${round(y)}q${half} ${-half} ${round(wing)} 0q${half} ${-half} ${round(wing)} 0`;
  });
  const style = `fill="none" stroke="${palette.ground}" stroke-width="${round(size * 0.16)}" stroke-linecap="round"`;
  return `<path d="${strokes.join('')}" ${style} opacity=".8"/>`;
}

/** One layer of a landscape: the nearer, the darker; its foot fades into haze. Layer 0 is the farthest. */
export function hazeLayer(canvas: Canvas, layer: number, layerCount: number, outline: string): string {
  const { skyLow, skyMiddle, ground } = canvas.palette;
  const near = (layer + 0.6) / layerCount;
  const color = mix(mix(skyLow, skyMiddle, Math.min(1, 0.3 + near)), ground, near ** 1.3);
  const id = `layer${layer}`;
  const gradient = verticalGradient(id, [
    [0, color],
    [1, mix(color, layer === layerCount - 1 ? ground : skyLow, 0.4)],
  ]);
  return `<defs>${gradient}</defs><path d="${outline}" fill="url(#${id})"/>`;
}
