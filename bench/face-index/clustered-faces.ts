import type { IndexedFace } from '#server/faces/index/face-index.js';

export const dimensions = 512;
/** Images of one person, whose vectors lie about one centre, as a real embedder's do. */
export const imagesPerPerson = 5;
/** How far images lie from their person, to the length of the centre: cosines of about 0.6 within a person. */
const spread = 0.8;

/** Face number `at`, from 0: always the same vector, of length 1. */
export function clusteredFace(at: number): IndexedFace {
  const person = Math.floor(at / imagesPerPerson);
  return { imageId: 1001 + at, personId: 1001 + person, vector: imageOf(person, at) };
}

/** Another image of a person, which is stored nowhere. */
export function strangeImageOf(person: number, which: number): Float32Array {
  return imageOf(person, -1 - which);
}

function imageOf(person: number, image: number): Float32Array {
  const [centre, own] = [noise(person * 2 + 1), noise(image * 2)];
  return toLengthOne(centre.map((value, at) => value + spread * (own[at] ?? 0)));
}

/** Uniform numbers by a small generator: a million vectors have to be made. */
function noise(seed: number): Float32Array {
  let state = (Math.imul(seed, 2654435761) ^ 0x9e3779b9) >>> 0;
  const values = new Float32Array(dimensions);
  for (let at = 0; at < dimensions; at += 1) {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    values[at] = (state >>> 0) / 2 ** 31 - 1;
  }
  return values;
}

function toLengthOne(vector: Float32Array): Float32Array {
  let squares = 0;
  for (const value of vector) squares += value * value;
  const length = Math.sqrt(squares);
  return vector.map((value) => value / length);
}
