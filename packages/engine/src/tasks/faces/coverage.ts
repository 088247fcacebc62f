import { alignedFace } from './aligned-face.js';

/** Left, top, right and bottom in the aligned face: parts that are skin in every face, or mostly. */
const patches = {
  forehead: [36, 22, 76, 36],
  bridge: [51, 50, 61, 62],
  leftEye: [26, 44, 50, 60],
  rightEye: [62, 44, 86, 60],
  leftCheek: [24, 64, 38, 74],
  rightCheek: [74, 64, 88, 74],
  nose: [48, 64, 64, 76],
  leftJaw: [22, 78, 36, 92],
  rightJaw: [76, 78, 90, 92],
  mouth: [42, 86, 70, 98],
} as const;
type Patch = keyof typeof patches;

const below = ['nose', 'leftJaw', 'rightJaw', 'mouth'] as const;
const eyes = ['leftEye', 'rightEye'] as const;

/** Distances of colours from which a part is no skin of this face. */
const skinDistance = { below: 0.12, eyes: 0.5 };
/** What a difference in brightness counts beside one in colour: shadows are darker, and of nearly the same colour. */
const lumaWeight = 0.5;
const shadowWeight = 0.25;
/** Keeps the logarithms of dark pixels apart from each other's noise; of 255. */
const darkest = 4;

/**
 * Whether something covers the face: the parts below the eyes (a mask), those around the eyes (sunglasses), or both differ in colour
 * from the face's other parts by more than skin does. From 1 on it is covered. Faces without a cover have .1 to .85. What has the
 * colour of skin, such as a hand, is not seen, and a mask is not in an image without colours.
 * @param rgb pixels of an aligned face
 */
export function measureCoverage(rgb: Uint8Array): number {
  const colours = new Map((Object.keys(patches) as Patch[]).map((patch) => [patch, colourOf(rgb, patch)]));
  const colour = (patch: Patch) => colours.get(patch) ?? neutral;
  const [forehead, bridge] = [colour('forehead'), colour('bridge')];
  const cheeks = meanColour(colour('leftCheek'), colour('rightCheek'));
  const belowFrom = (skin: Colour) =>
    Math.min(...below.map((patch) => hueDistance(colour(patch), skin))) / skinDistance.below;
  const eyesFrom = (skin: Colour) =>
    Math.min(...eyes.map((patch) => colourDistance(colour(patch), skin))) / skinDistance.eyes;
  const mask = Math.min(belowFrom(forehead), belowFrom(bridge));
  const glasses = Math.min(eyesFrom(forehead), eyesFrom(cheeks));
  // Then the forehead alone is skin; that it is hair or a hat instead is excluded by the bridge of the nose.
  const both = Math.min(belowFrom(forehead), eyesFrom(forehead), 2 * belowFrom(bridge));
  return Math.max(mask, glasses, both);
}

/** Logarithms: red and blue to green, and brightness. */
interface Colour {
  readonly red: number;
  readonly blue: number;
  readonly luma: number;
}

const neutral: Colour = { red: 0, blue: 0, luma: 0 };

/** Of the median of each channel, which a brow, a nostril or a strand of hair does not change. */
function colourOf(rgb: Uint8Array, patch: Patch): Colour {
  const [left, top, right, bottom] = patches[patch];
  const [red = 0, green = 0, blue = 0] = [0, 1, 2].map((channel) => {
    const values = new Uint8Array((right - left) * (bottom - top));
    let count = 0;
    for (let y = top; y < bottom; y++) {
      for (let x = left; x < right; x++) values[count++] = rgb[(y * alignedFace.side + x) * 3 + channel] ?? 0;
    }
    return darkest + (values.sort()[count >> 1] ?? 0);
  });
  return {
    red: Math.log(red / green),
    blue: Math.log(blue / green),
    luma: Math.log(0.299 * red + 0.587 * green + 0.114 * blue),
  };
}

function meanColour(a: Colour, b: Colour): Colour {
  return { red: (a.red + b.red) / 2, blue: (a.blue + b.blue) / 2, luma: (a.luma + b.luma) / 2 };
}

/** Skin in shadow has more colour than skin in light: redder, and less blue. Differences in this sense count less. */
function hueDistance(part: Colour, skin: Colour): number {
  const [red, blue] = [skin.red - part.red, part.blue - skin.blue];
  return Math.hypot(red > 0 ? red : shadowWeight * red, blue > 0 ? blue : shadowWeight * blue);
}

function colourDistance(part: Colour, skin: Colour): number {
  return Math.hypot(hueDistance(part, skin), lumaWeight * (part.luma - skin.luma));
}
