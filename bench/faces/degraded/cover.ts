import sharp from 'sharp';
import { seededRandom } from '../../accuracy/bootstrap.js';
import type { Degrade } from './blur.js';
import { open } from './raster.js';

/** Eyes, nose and corners of the mouth in the drawings below, which are 112 units wide. */
const template = [
  [38.3, 51.7],
  [73.5, 51.5],
  [56, 71.7],
  [41.5, 92.4],
  [70.7, 92.2],
] as const;

export function mask(colour: string, fold = '#00000030'): string {
  return `<path d="M8 64Q30 66 56 57Q82 66 104 64L100 92Q84 118 56 122Q28 118 12 92Z" fill="${colour}"/>
<path d="M16 80Q56 76 96 80M18 92Q56 90 94 92M24 104Q56 104 88 104" stroke="${fold}" stroke-width="1.6" fill="none"/>
<path d="M8 64L-4 56M104 64L116 56" stroke="${colour}" stroke-width="1.4" fill="none"/>`;
}

export function sunglasses(colour: string, rim = '#101010'): string {
  return `<path d="M-4 46L22 44M90 44L116 46" stroke="${rim}" stroke-width="4"/>
<path d="M20 43Q38 38 53 44Q54 62 40 66Q22 66 20 43ZM92 43Q74 38 59 44Q58 62 72 66Q90 66 92 43Z" fill="${colour}" stroke="${rim}" stroke-width="2"/>
<path d="M52 47Q56 44 60 47" stroke="${rim}" stroke-width="3" fill="none"/>`;
}

/** A hand before the mouth. */
export const hand = handOf('#c68a68', '#7a4a36');

export function handOf(skin: string, line: string): string {
  return `<g fill="${skin}" stroke="${line}" stroke-width="1">
<rect x="18" y="74" width="76" height="13" rx="6"/><rect x="16" y="86" width="80" height="13" rx="6"/>
<rect x="20" y="98" width="74" height="13" rx="6"/><rect x="26" y="110" width="66" height="13" rx="6"/></g>`;
}

export const scarf = `<path d="M0 70Q56 62 112 70L116 130L-4 130Z" fill="#7c1f2b"/>
<path d="M2 78Q56 70 110 78M2 92Q56 84 110 92M2 106Q56 98 110 106" stroke="#e8d8b0" stroke-width="4" fill="none"/>`;

/** A cap drawn down over the eyebrows. */
export const cap = `<path d="M0 44Q4 -12 56 -14Q108 -12 112 44Q56 32 0 44Z" fill="#26364f"/><path d="M-4 46Q56 34 116 46L108 52Q56 42 4 52Z" fill="#1a2536"/>`;

export const bar = '<rect x="10" y="40" width="92" height="22" fill="#000"/>';

export const halfFace = '<rect x="56" y="-30" width="90" height="180" fill="#2d2a28"/>';

/** The other parts of which one half of the face is hidden. */
export const otherHalf = '<rect x="-34" y="-30" width="90" height="180" fill="#cfc8bd"/>';

/** From below the nose on, of one colour. */
export function lowerHalf(colour: string): string {
  return `<rect x="-40" y="76" width="192" height="90" fill="${colour}"/>`;
}

/** A hat drawn down over the eyes. */
export const deepHat = `<path d="M-8 60Q-4 -20 56 -22Q116 -20 120 60Q56 48 -8 60Z" fill="#4a3b2a"/>`;

/** Light on a pane before the face. */
export function glare(angleDeg: number, width: number): string {
  return `<g transform="rotate(${angleDeg} 56 66)"><rect x="-100" y="${66 - width / 2}" width="312" height="${width}" fill="#fff" fill-opacity="0.85"/></g>`;
}

/** Thin bars before the face. */
export const lattice = Array.from({ length: 13 }, (_, index) => {
  const at = -40 + 16 * index;
  return `<path d="M${at} -40V180M-40 ${at}H152" stroke="#202020" stroke-width="5"/>`;
}).join('');

/** Discs of a few colours at random places, as leaves or confetti before the face. */
export function spots(seed: number): string {
  const random = seededRandom(seed);
  const colours = ['#3c6b2f', '#b8432f', '#e6c84f', '#2f4f8b'];
  return Array.from({ length: 14 }, (_, index) => {
    const [x, y, radius] = [10 + 92 * random(), 20 + 100 * random(), 5 + 6 * random()];
    return `<circle cx="${x}" cy="${y}" r="${radius}" fill="${colours[index % colours.length]}"/>`;
  }).join('');
}

/** Draws over a face, aligned by its five points. */
export function cover(...drawings: readonly string[]): Degrade {
  return async (raster) => {
    const { width, height, points } = raster;
    const { a, b, dx, dy } = fit(points);
    const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}"><g transform="matrix(${a} ${b} ${-b} ${a} ${dx} ${dy})">${drawings.join('')}</g></svg>`;
    const drawn = await sharp(Buffer.from(svg)).blur(0.6).png().toBuffer();
    return {
      ...raster,
      pixels: await open(raster)
        .composite([{ input: drawn }])
        .removeAlpha()
        .raw()
        .toBuffer(),
    };
  };
}

/** The least-squares similarity from the template to these points. */
function fit(points: readonly { readonly x: number; readonly y: number }[]) {
  const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;
  const [u, v] = [mean(template.map(([x]) => x)), mean(template.map(([, y]) => y))];
  const [x, y] = [mean(points.map((point) => point.x)), mean(points.map((point) => point.y))];
  let [dot, cross, norm] = [0, 0, 0];
  for (const [index, [s, t]] of template.entries()) {
    const point = points[index] ?? { x, y };
    dot += (s - u) * (point.x - x) + (t - v) * (point.y - y);
    cross += (s - u) * (point.y - y) - (t - v) * (point.x - x);
    norm += (s - u) ** 2 + (t - v) ** 2;
  }
  const [a, b] = [dot / norm, cross / norm];
  return { a, b, dx: x - a * u + b * v, dy: y - b * u - a * v };
}
