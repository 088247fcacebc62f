import { box, type Degrade, defocus, gauss, motion } from './blur.js';
import {
  bar,
  cap,
  cover,
  deepHat,
  glare,
  halfFace,
  hand,
  handOf,
  lattice,
  lowerHalf,
  mask,
  otherHalf,
  scarf,
  spots,
  sunglasses,
} from './cover.js';
import {
  cartoon,
  comb,
  edges,
  halftone,
  interlaced,
  negative,
  oneColour,
  painted,
  posterised,
  relief,
  solarised,
  swappedChannels,
  twoLevels,
  upsideDown,
  waves,
} from './filters.js';
import { cutAt, flatten, inTurn, jpeg, light, lowResolution, noise, squeeze } from './pixels.js';

/** A way of degrading faces, in variants that are compared with each other: directions, colours. */
export interface DegradedKind {
  readonly title: string;
  readonly variants: readonly Degrade[];
}

export const undamaged = 'as they are';
const widths = [0.05, 0.1, 0.15, 0.2, 0.25];
const anglesDeg = [0, 30, 60, 90, 120, 150];
const masks = ['#e8eef0', '#7fb2d6', '#151515', '#a33c58'];
const lenses = ['#0b0b0b', '#3a2413', '#5d6d7a', '#27408b'];

const seeds = [1, 2, 3];
const hands = [
  ['#e8b89a', '#a8745a'],
  ['#8d5a3b', '#4e2f1e'],
  ['#5a3826', '#2e1b12'],
] as const;
const blanks = ['#ffffff', '#808080', '#c68a68'];
const combs = [
  [0.06, 0, 0],
  [0.06, 90, 0],
  [0.1, 90, 255],
  [0.1, 45, 128],
  [0.16, 0, 0],
] as const;
/** The border that cuts, by the part that is kept. */
const opposite = { left: 'right', right: 'left', top: 'bottom', bottom: 'top' } as const;

export const degradedKinds: readonly DegradedKind[] = [
  { title: undamaged, variants: [async (raster) => raster] },
  ...widths.map((width) => ({
    title: `motion ${width}`,
    variants: anglesDeg.map((angle) => motion(width, angle)),
  })),
  ...widths.map((width) => ({ title: `Gauss ${width}`, variants: [gauss(width)] })),
  { title: 'mask', variants: masks.map((colour) => cover(mask(colour))) },
  { title: 'sunglasses', variants: lenses.map((colour) => cover(sunglasses(colour))) },
  {
    title: 'mask and sunglasses',
    variants: masks.map((colour, index) => cover(mask(colour), sunglasses(lenses[index] ?? '#000'))),
  },
  { title: 'hand before the mouth', variants: [cover(hand)] },
  { title: 'scarf', variants: [cover(scarf)] },
  { title: 'scarf and cap', variants: [cover(scarf, cap)] },
  { title: 'sunglasses and cap', variants: [cover(sunglasses('#0b0b0b'), cap)] },
  { title: 'bar over the eyes', variants: [cover(bar)] },
  { title: 'half hidden', variants: [cover(halfFace)] },
  ...[0.1, 0.2].map((side) => ({ title: `box blur ${side}`, variants: [box(side)] })),
  ...[0.1, 0.2, 0.3].map((size) => ({ title: `defocus ${size}`, variants: [defocus(size)] })),
  ...[8, 12, 16, 24].map((px) => ({ title: `enlarged from ${px} px`, variants: [lowResolution(px)] })),
  ...[8, 12, 16, 24].map((px) => ({ title: `mosaic of ${px}`, variants: [lowResolution(px, 'nearest')] })),
  ...[2, 5, 10].map((quality) => ({ title: `JPEG quality ${quality}`, variants: [jpeg(quality)] })),
  ...[0.2, 0.08].map((times) => ({ title: `light x ${times}`, variants: [light(times)] })),
  ...[2, 3].map((times) => ({ title: `light x ${times}`, variants: [light(times)] })),
  { title: 'washed out', variants: [light(0.3, 170)] },
  ...[30, 60, 100].map((sigma) => ({
    title: `noise ${sigma}`,
    variants: seeds.map((seed) => noise(sigma, seed)),
  })),
  ...[0.5, 0.35].map((times) => ({ title: `narrowed to ${times}`, variants: [squeeze(times)] })),
  {
    title: 'motion .15 and noise 20',
    variants: anglesDeg.map((angle) => inTurn(motion(0.15, angle), noise(20))),
  },
  {
    title: 'motion .15 and JPEG 20',
    variants: anglesDeg.map((angle) => inTurn(motion(0.15, angle), jpeg(20))),
  },
  { title: 'Gauss .1 and noise 20', variants: [inTurn(gauss(0.1), noise(20))] },
  {
    title: 'motion .1 and mask',
    variants: anglesDeg.map((angle) => inTurn(cover(mask('#7fb2d6')), motion(0.1, angle))),
  },
  { title: 'hand of other skin', variants: hands.map(([skin, line]) => cover(handOf(skin, line))) },
  { title: 'other half hidden', variants: [cover(otherHalf)] },
  { title: 'lower half blank', variants: blanks.map((colour) => cover(lowerHalf(colour))) },
  { title: 'hat over the eyes', variants: [cover(deepHat)] },
  { title: 'glare', variants: [0, 35, 90].map((angle) => cover(glare(angle, 34))) },
  { title: 'lattice', variants: [cover(lattice)] },
  { title: 'spots', variants: seeds.map((seed) => cover(spots(seed))) },
  { title: 'flattened to 0.5', variants: [flatten(0.5)] },
  ...(['left', 'right', 'top', 'bottom'] as const).map((side) => ({
    title: `cut with the ${side} kept`,
    variants: [0.7, 0.6].map((part) => cutAt(opposite[side], part)),
  })),
  { title: 'comb', variants: combs.map(([period, angle, shade]) => comb(period, angle, shade)) },
  { title: 'interlaced', variants: [interlaced(0.08)] },
  { title: 'negative', variants: [negative] },
  { title: 'solarised', variants: [solarised] },
  { title: 'posterised', variants: [2, 3, 4].map(posterised) },
  { title: 'two levels', variants: [90, 127].map(twoLevels) },
  { title: 'channels swapped', variants: [swappedChannels] },
  { title: 'one colour', variants: [oneColour] },
  { title: 'edges', variants: [edges(1, false), edges(3, false), edges(1.5, true)] },
  { title: 'relief', variants: [relief] },
  { title: 'cartoon', variants: [cartoon] },
  { title: 'painted', variants: [0.06, 0.1].map(painted) },
  { title: 'halftone', variants: [0.04, 0.06].map(halftone) },
  { title: 'waves', variants: [waves(0.04, 0.4), waves(0.06, 0.25)] },
  { title: 'upside down', variants: [upsideDown] },
];
