/**
 * The landscapes of the demo pictures, for games. A scene draws on a canvas of any size with the colours it is
 * given, and takes every choice from the canvas's random numbers, so that a product always looks the same.
 */

import {
  birds,
  type Canvas,
  fill,
  glowingDisc,
  hazeLayer,
  mix,
  type Point,
  polygon,
  ridge,
  round,
  ruggedLine,
  type Scene,
  sky,
  spread,
  stars,
  verticalGradient,
} from './picture-canvas.ts';

/** Scenes for games; a title's pictures begin with one of them and its screenshots go on from there. */
export const LANDSCAPES: readonly Scene[] = [
  drawMountains,
  drawSea,
  drawCity,
  drawPlanet,
  drawForest,
  drawDunes,
  drawCrystals,
];

function drawMountains(canvas: Canvas): string {
  const { width, height, random } = canvas;
  const sun = { x: width * spread(random, 0.25, 0.75), y: height * spread(random, 0.2, 0.34) };
  const layers = [0, 1, 2, 3].map((layer) => {
    const heights = ruggedLine(random, 6, layer === 3 ? 0.5 : 0.55);
    const top = height * (0.3 + layer * 0.13);
    return hazeLayer(canvas, layer, 4, ridge(canvas, heights, top, height * (0.3 - layer * 0.03)));
  });
  return [
    sky(canvas),
    stars(canvas, 40, 0.5),
    glowingDisc(canvas, sun, Math.min(width, height) * 0.08),
    ...layers.slice(0, 2),
    birds(canvas, { x: width - sun.x, y: height * 0.36 }, Math.min(width, height) * 0.022),
    ...layers.slice(2),
  ].join('');
}

function drawSea(canvas: Canvas): string {
  const { width, height, random, palette } = canvas;
  const horizon = height * 0.6;
  const radius = Math.min(width, height) * 0.13;
  const sun = { x: width * spread(random, 0.3, 0.7), y: horizon - radius * spread(random, 0.1, 0.9) };
  const far = hazeLayer(
    canvas,
    0,
    4,
    ridge(canvas, ruggedLine(random, 6, 0.5), horizon - height * 0.12, height * 0.15),
  );
  const water = verticalGradient('water', [
    [0, mix(palette.skyLow, palette.skyMiddle, 0.35)],
    [0.35, palette.skyMiddle],
    [1, palette.ground],
  ]);
  const sea = `<rect y="${round(horizon)}" width="${width}" height="${round(height - horizon)}" fill="url(#water)"/>`;
  return [
    sky(canvas),
    stars(canvas, 30, 0.4),
    glowingDisc(canvas, sun, radius),
    far,
    `<defs>${water}</defs>${sea}`,
    drawGlitter(canvas, sun.x, horizon),
    drawShip(canvas, { x: width * (sun.x > width / 2 ? 0.28 : 0.72), y: horizon + height * 0.05 }),
    birds(canvas, { x: width * spread(random, 0.3, 0.7), y: height * 0.25 }, Math.min(width, height) * 0.024),
  ].join('');
}

/** The light's path on the water: short strokes, wider and rarer towards the viewer. */
function drawGlitter(canvas: Canvas, x: number, horizon: number): string {
  const { height, random, palette } = canvas;
  const depth = height - horizon;
  const strokes = Array.from({ length: 46 }, (_, index) => {
    const share = (index / 46) ** 1.6;
    const length = depth * spread(random, 0.04, 0.12) * (0.5 + share * 1.6);
    const left = x + spread(random, -1, 1) * depth * (0.08 + share * 0.3) - length / 2;
    return `M${round(left)} ${round(horizon + 2 + share * depth)}h${round(length)}`;
  });
  const style = `stroke="${palette.light}" stroke-width="${round(height * 0.0045)}" stroke-linecap="round"`;
  return `<path d="${strokes.join('')}" ${style} opacity=".55"/>`;
}

function drawShip(canvas: Canvas, foot: Point): string {
  const size = Math.min(canvas.width, canvas.height) * 0.15;
  const place = `translate(${round(foot.x)} ${round(foot.y)}) scale(${round(size) / 100})`;
  const { ground, light } = canvas.palette;
  return (
    `<g transform="${place}"><path d="M-62 -22Q-50 0 -36 0H34Q54 -6 66 -28L40 -20H-40Z" fill="${ground}"/>` +
    `<path d="M-3 -20V-150H2V-20Z" fill="${ground}"/>` +
    `<path d="M6 -145Q58 -84 50 -32Q30 -40 6 -34Z" fill="${light}" opacity=".92"/>` +
    `<path d="M-8 -128Q-50 -74 -46 -34Q-28 -40 -8 -36Z" fill="${light}" opacity=".7"/></g>`
  );
}

function drawCity(canvas: Canvas): string {
  const { width, height, random } = canvas;
  const moon = { x: width * spread(random, 0.2, 0.8), y: height * spread(random, 0.16, 0.3) };
  const rows = [0, 1, 2].map((row) => drawSkyline(canvas, row));
  return [
    sky(canvas),
    stars(canvas, 60, 0.55),
    glowingDisc(canvas, moon, Math.min(width, height) * 0.07),
    ...rows,
  ].join('');
}

/** A row of towers with lit windows; row 0 is the farthest. */
function drawSkyline(canvas: Canvas, row: number): string {
  const { width, height, random, palette } = canvas;
  const unit = Math.min(width, height) * 0.035 * (1 + row * 0.45);
  let towers = '';
  let windows = '';
  for (let x = -unit; x < width; ) {
    const towerWidth = unit * random.between(2, 4);
    const top = height * (0.34 + row * 0.13 + random.unit() * 0.2);
    towers += `M${round(x)} ${height}V${round(top)}h${round(towerWidth)}V${height}Z`;
    if (random.chance(0.3))
      towers += `M${round(x + towerWidth / 2)} ${round(top)}v${round(-unit * 1.6)}h${round(unit * 0.12)}v${round(unit * 1.6)}Z`;
    windows += litWindows(canvas, { x, y: top }, towerWidth, unit);
    x += towerWidth + (random.chance(0.4) ? unit * random.unit() : 0);
  }
  const lit = `<path d="${windows}" fill="${palette.light}" opacity="${0.3 + row * 0.25}"/>`;
  return hazeLayer(canvas, row + 1, 4, towers) + lit;
}

function litWindows(canvas: Canvas, corner: Point, towerWidth: number, unit: number): string {
  const { random, height } = canvas;
  const side = round(unit * 0.22);
  let windows = '';
  for (let y = corner.y + unit * 0.5; y < Math.min(height, corner.y + unit * 9); y += unit * 0.75) {
    for (let x = corner.x + unit * 0.3; x < corner.x + towerWidth - unit * 0.4; x += unit * 0.55) {
      if (random.chance(0.28)) windows += `M${round(x)} ${round(y)}h${side}v${round(side * 1.4)}h${-side}Z`;
    }
  }
  return windows;
}

function drawPlanet(canvas: Canvas): string {
  const { width, height, random, palette } = canvas;
  const radius = Math.min(width, height) * spread(random, 0.24, 0.32);
  const center = { x: width * spread(random, 0.35, 0.68), y: height * 0.36 };
  const [x, y, r] = [round(center.x), round(center.y), round(radius)];
  const tilt = random.between(-28, -12);
  const globe =
    `<radialGradient id="globe" cx=".3" cy=".28" r=".85"><stop offset="0" stop-color="${palette.light}"/>` +
    `<stop offset=".4" stop-color="${palette.skyLow}"/><stop offset=".75" stop-color="${palette.skyMiddle}"/>` +
    `<stop offset="1" stop-color="${palette.ground}"/></radialGradient>` +
    `<clipPath id="disc"><circle cx="${x}" cy="${y}" r="${r}"/></clipPath>`;
  const bands = Array.from({ length: 5 }, (_, index) => {
    const bandY = round(center.y + radius * (-0.7 + index * 0.34));
    const size = round(radius * spread(random, 0.05, 0.16));
    return `<rect x="${round(center.x - radius * 1.2)}" y="${bandY}" width="${round(radius * 2.4)}" height="${size}" fill="${palette.ground}" opacity=".16"/>`;
  });
  const ringStyle = `rx="${round(radius * 1.75)}" ry="${round(radius * 0.34)}" fill="none" stroke="${palette.light}"`;
  const ring = (clip: string) =>
    `<g transform="translate(${x} ${y}) rotate(${tilt})"><g${clip}><ellipse ${ringStyle} stroke-width="${round(radius * 0.09)}" opacity=".75"/>` +
    `<ellipse ${ringStyle} stroke-width="${round(radius * 0.02)}" opacity=".9" transform="scale(1.16)"/></g></g>`;
  const front = `<clipPath id="front"><rect x="${round(-radius * 3)}" y="0" width="${round(radius * 6)}" height="${r}"/></clipPath>`;
  return [
    fill(canvas, palette.ground),
    `<defs>${verticalGradient('space', [
      [0, palette.skyTop],
      [0.7, palette.skyMiddle, 0.65],
      [1, palette.skyLow, 0.6],
    ])}</defs>`,
    fill(canvas, 'url(#space)'),
    stars(canvas, 150, 1),
    `<defs>${globe}${front}</defs>`,
    ring(''),
    `<circle cx="${x}" cy="${y}" r="${r}" fill="url(#globe)"/>`,
    `<g clip-path="url(#disc)"><g transform="rotate(${tilt} ${x} ${y})">${bands.join('')}</g></g>`,
    ring(' clip-path="url(#front)"'),
    hazeLayer(canvas, 2, 4, ridge(canvas, ruggedLine(random, 6, 0.5), height * 0.7, height * 0.14)),
    hazeLayer(canvas, 3, 4, ridge(canvas, ruggedLine(random, 6, 0.55), height * 0.78, height * 0.16)),
  ].join('');
}

function drawForest(canvas: Canvas): string {
  const { width, height, random } = canvas;
  const sun = { x: width * spread(random, 0.3, 0.7), y: height * spread(random, 0.28, 0.4) };
  const rows = [0, 1, 2, 3].map((row) => hazeLayer(canvas, row, 4, drawTrees(canvas, row)));
  return [
    sky(canvas),
    stars(canvas, 20, 0.3),
    glowingDisc(canvas, sun, Math.min(width, height) * 0.1),
    ...rows.slice(0, 2),
    birds(canvas, { x: sun.x, y: height * 0.3 }, Math.min(width, height) * 0.02),
    ...rows.slice(2),
  ].join('');
}

/** Path data of a row of firs on rolling ground. */
function drawTrees(canvas: Canvas, row: number): string {
  const { width, height, random } = canvas;
  const size = Math.min(width, height) * (0.1 + row * 0.05);
  const floor = height * (0.56 + row * 0.12);
  const phase = random.unit() * 6;
  const groundAt = (x: number) => floor + Math.sin(phase + (x / width) * 5) * height * 0.04;
  let trees = ridge(
    canvas,
    Array.from(
      { length: 25 },
      (_, index) => (floor + height * 0.05 - groundAt((index / 24) * width)) / (height * 0.1),
    ),
    floor - height * 0.05,
    height * 0.1,
  );
  for (let x = -size; x < width + size; x += size * spread(random, 0.22, 0.5)) {
    trees += fir({ x, y: groundAt(x) + size * 0.12 }, size * spread(random, 0.65, 1.25));
  }
  return trees;
}

function fir(foot: Point, size: number): string {
  const tier = (bottom: number, top: number, half: number) =>
    polygon([
      { x: foot.x - size * half, y: foot.y - size * bottom },
      { x: foot.x, y: foot.y - size * top },
      { x: foot.x + size * half, y: foot.y - size * bottom },
    ]);
  return tier(0, 0.6, 0.24) + tier(0.3, 0.85, 0.18) + tier(0.6, 1.1, 0.12);
}

function drawDunes(canvas: Canvas): string {
  const { width, height, random, palette } = canvas;
  const radius = Math.min(width, height) * 0.15;
  const sun = { x: width * spread(random, 0.3, 0.7), y: height * 0.4 };
  const dunes = [0, 1, 2, 3].map((layer) => drawDune(canvas, layer));
  const obelisk = drawObelisk(canvas, { x: width * (sun.x > width / 2 ? 0.3 : 0.72), y: height * 0.68 });
  return [
    sky(canvas),
    stars(canvas, 40, 0.4),
    glowingDisc(canvas, sun, radius),
    `<circle cx="${round(sun.x)}" cy="${round(sun.y)}" r="${round(radius * 1.5)}" fill="none" stroke="${palette.light}" stroke-width="${round(radius * 0.03)}" opacity=".35"/>`,
    ...dunes.slice(0, 1),
    obelisk,
    ...dunes.slice(1),
  ].join('');
}

/** A dune with a bright and a shaded flank that meet at its crest. */
function drawDune(canvas: Canvas, layer: number): string {
  const { width, height, random, palette } = canvas;
  const crestX = width * spread(random, 0.2, 0.8);
  const crestY = height * (0.52 + layer * 0.1);
  const [cx, cy] = [round(crestX), round(crestY)];
  const side = height * 0.14;
  const outline =
    `M0 ${round(crestY + side)}C${round(crestX * 0.5)} ${round(crestY + side)} ${round(crestX * 0.8)} ${cy} ${cx} ${cy}` +
    `C${round(crestX + width * 0.15)} ${cy} ${round(crestX + (width - crestX) * 0.5)} ${round(crestY + side)} ${width} ${round(crestY + side * 1.1)}V${height}H0Z`;
  const bend = width * spread(random, 0.08, 0.2);
  const shade =
    `M${cx} ${cy}C${round(crestX - bend * 0.3)} ${round(crestY + side)} ${round(crestX + bend)} ${round(crestY + side * 1.5)} ${round(crestX - bend)} ${height}` +
    `H${width}V${round(crestY + side * 1.1)}C${round(crestX + (width - crestX) * 0.5)} ${round(crestY + side)} ${round(crestX + width * 0.15)} ${cy} ${cx} ${cy}Z`;
  return `${hazeLayer(canvas, layer, 4, outline)}<path d="${shade}" fill="${palette.ground}" opacity=".28"/>`;
}

function drawObelisk(canvas: Canvas, foot: Point): string {
  const size = Math.min(canvas.width, canvas.height) * 0.3;
  const { ground, light, skyMiddle } = canvas.palette;
  const half = size * 0.09;
  const top = foot.y - size;
  const left = [
    { x: foot.x - half, y: foot.y },
    { x: foot.x - half * 0.6, y: top + half },
    { x: foot.x, y: top },
    { x: foot.x, y: foot.y },
  ];
  const right = left.map(({ x, y }) => ({ x: 2 * foot.x - x, y }));
  return (
    `<path d="${polygon(left)}" fill="${mix(ground, skyMiddle, 0.45)}"/><path d="${polygon(right)}" fill="${ground}"/>` +
    `<circle cx="${round(foot.x)}" cy="${round(top + size * 0.22)}" r="${round(half * 0.35)}" fill="${light}"/>`
  );
}

function drawCrystals(canvas: Canvas): string {
  const { width, height, random } = canvas;
  const unit = Math.min(width, height);
  const heart = { x: width * spread(random, 0.4, 0.6), y: height * 0.78 };
  const shards = Array.from({ length: 13 }, (_, index) => {
    const order = index % 2 === 0 ? index / 12 : 1 - index / 12;
    return drawShard(canvas, heart, -1.25 + order * 2.5);
  });
  return [
    sky(canvas),
    stars(canvas, 80, 0.8),
    glowingDisc(canvas, { x: heart.x, y: heart.y - unit * 0.25 }, unit * 0.1),
    ...shards,
    hazeLayer(canvas, 3, 4, ridge(canvas, ruggedLine(random, 6, 0.5), height * 0.7, height * 0.16)),
  ].join('');
}

/** A pointed prism that leans by the angle (radians from upright), in a bright and a dark face. */
function drawShard(canvas: Canvas, heart: Point, angle: number): string {
  const { random, palette } = canvas;
  const unit = Math.min(canvas.width, canvas.height);
  const length = unit * spread(random, 0.35, 0.7) * (1 - Math.abs(angle) * 0.3);
  const half = unit * spread(random, 0.025, 0.06);
  const turn = (x: number, y: number): Point => ({
    x: heart.x + angle * unit * 0.14 + x * Math.cos(angle) - y * Math.sin(angle),
    y: heart.y + x * Math.sin(angle) + y * Math.cos(angle),
  });
  const bright = [
    turn(-half, 0),
    turn(-half, -length * 0.78),
    turn(0, -length),
    turn(half * 0.2, -length * 0.72),
    turn(half * 0.2, 0),
  ];
  const dark = [
    turn(half * 0.2, 0),
    turn(half * 0.2, -length * 0.72),
    turn(0, -length),
    turn(half, -length * 0.8),
    turn(half, 0),
  ];
  const tone = random.unit() * 0.5;
  return (
    `<path d="${polygon(bright)}" fill="${mix(palette.light, palette.skyLow, 0.25 + tone)}" opacity=".95"/>` +
    `<path d="${polygon(dark)}" fill="${mix(palette.skyMiddle, palette.ground, tone)}" opacity=".95"/>`
  );
}
