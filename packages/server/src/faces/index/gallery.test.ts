import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Neighbour } from './face-index.js';
import { vectorOf as seededVector } from './fixtures/vectors.js';
import { createGallery, type Gallery } from './gallery.js';

const dimensions = 32;

const vectorOf = (seed: number) => seededVector(seed, dimensions);

/** Of one of 20 vectors, rotated: quicker than making one for each seed. */
function rotatedVectors(length: number): (seed: number) => Float32Array {
  const bases = Array.from({ length: 20 }, (_, at) => seededVector(at + 1, length));
  return (seed) => {
    const base = bases[seed % 20] ?? new Float32Array(length);
    const from = Math.floor(seed / 20) % length;
    const rotated = new Float32Array(length);
    rotated.set(base.subarray(from));
    rotated.set(base.subarray(0, from), length - from);
    return rotated;
  };
}

type Faces = Map<number, { readonly personId: number; readonly vector: Float32Array }>;

/** What a search must find, by looking at everything. */
function scan(faces: Faces, query: Float32Array, people: number, personId?: number): Neighbour[] {
  const best = new Map<number, Neighbour>();
  for (const [imageId, face] of faces) {
    if (personId !== undefined && face.personId !== personId) continue;
    const cosine = face.vector.reduce((sum, value, index) => sum + value * (query[index] ?? 0), 0);
    const known = best.get(face.personId);
    if (known === undefined || cosine > known.cosine) {
      best.set(face.personId, { personId: face.personId, imageId, cosine });
    }
  }
  return [...best.values()].sort((a, b) => b.cosine - a.cosine).slice(0, people);
}

function expectSame(found: readonly Neighbour[], wanted: readonly Neighbour[]): void {
  expect(found.map(({ imageId }) => imageId)).toEqual(wanted.map(({ imageId }) => imageId));
  for (const [index, { cosine }] of found.entries()) {
    expect(cosine).toBeCloseTo(wanted[index]?.cosine ?? Number.NaN, 5);
  }
}

function fill(gallery: Gallery, faces: Faces, count: number, people: number): void {
  for (let imageId = 1; imageId <= count; imageId += 1) {
    const [personId, vector] = [imageId % people, vectorOf(imageId)];
    faces.set(imageId, { personId, vector });
    gallery.put(imageId, personId, vector);
  }
}

describe('a gallery', () => {
  test('finds what looking at every face finds, after any adding, replacing and removing', () => {
    const step = fc.oneof(
      fc.record({ kind: fc.constant('put'), image: fc.integer({ min: 1, max: 40 }), by: fc.nat(7) }),
      fc.record({ kind: fc.constant('remove'), image: fc.integer({ min: 1, max: 40 }), by: fc.nat(7) }),
    );
    fc.assert(
      fc.property(fc.array(step, { maxLength: 120 }), fc.nat(1000), (steps, seed) => {
        const gallery = createGallery(dimensions);
        const faces: Faces = new Map();
        for (const [at, { kind, image, by }] of steps.entries()) {
          if (kind === 'put') {
            faces.set(image, { personId: by, vector: vectorOf(at) });
            gallery.put(image, by, vectorOf(at));
          } else {
            faces.delete(image);
            gallery.remove(image);
          }
        }
        const query = vectorOf(seed + 5000);
        expect(gallery.size).toBe(faces.size);
        expectSame(gallery.nearestPeople(query, { people: 3 }), scan(faces, query, 3));
        expectSame(gallery.nearestPeople(query, { people: 3, personId: 2 }), scan(faces, query, 1, 2));
      }),
    );
  });

  test('finds over all its chunks, and shrinks when it is emptied', () => {
    const gallery = createGallery(dimensions);
    const faces: Faces = new Map();
    fill(gallery, faces, 20_000, 900);
    const query = vectorOf(77_777);
    expectSame(gallery.nearestPeople(query, { people: 10 }), scan(faces, query, 10));
    const full = gallery.bytes;
    for (let imageId = 1; imageId <= 20_000; imageId += 1) {
      if (imageId % 100 === 0) continue;
      gallery.remove(imageId);
      faces.delete(imageId);
    }
    expectSame(gallery.nearestPeople(query, { people: 10 }), scan(faces, query, 10));
    expect(gallery.bytes).toBeLessThanOrEqual(full * 0.7);
  });

  test('finds ten people also where the first has hundreds of the nearest images', () => {
    const gallery = createGallery(dimensions);
    const query = vectorOf(1);
    for (let imageId = 1; imageId <= 700; imageId += 1) gallery.put(imageId, 1, query);
    for (let imageId = 701; imageId <= 709; imageId += 1) gallery.put(imageId, imageId, vectorOf(imageId));
    const found = gallery.nearestPeople(query, { people: 10 });
    expect(found).toHaveLength(10);
    expect(found[0]).toMatchObject({ personId: 1, imageId: 1 });
  });

  test('asks with a part of a larger array as with an array of its own', () => {
    const gallery = createGallery(dimensions);
    const faces: Faces = new Map();
    fill(gallery, faces, 500, 50);
    const larger = new Float32Array(3 * dimensions);
    larger.set(vectorOf(9999), dimensions);
    const query = larger.subarray(dimensions, 2 * dimensions);
    expectSame(gallery.nearestPeople(query, { people: 5 }), scan(faces, vectorOf(9999), 5));
  });

  test('with many long vectors, finds what looking at every face finds, whichever of them are compact', () => {
    const long = 512;
    const gallery = createGallery(long);
    const faces: Faces = new Map();
    const put = (imageId: number, vector: Float32Array) => {
      faces.set(imageId, { personId: imageId % 300, vector });
      gallery.put(imageId, imageId % 300, vector);
    };
    const single = (at: number) => new Float32Array(long).fill(1, at, at + 1);
    const vector = rotatedVectors(long);
    for (let imageId = 1; imageId <= 8192; imageId += 1) put(imageId, vector(imageId));
    const plainBytes = gallery.bytes;
    for (let imageId = 8193; imageId <= 9000; imageId += 1) put(imageId, vector(imageId));
    // A face that is compact, one that cannot be, and each in the place of the other.
    for (const imageId of [8999, 9001, 9002, 1]) put(imageId, single(imageId % long));
    put(9001, vector(9001));
    expect(gallery.size).toBe(9002);
    // A chunk of compact faces, and one of those that cannot be.
    expect((gallery.bytes - plainBytes) / 8192 - 2048).toBeLessThan(2100);
    for (const query of [vector(8500), single(8999 % long), vector(9001)]) {
      expectSame(gallery.nearestPeople(query, { people: 10 }), scan(faces, query, 10));
      expectSame(gallery.nearestPeople(query, { people: 1, personId: 7 }), scan(faces, query, 1, 7));
    }
    for (const imageId of [8500, 9002]) gallery.remove(imageId);
    for (const query of [vector(8500), single(9002 % long)]) {
      expect(gallery.nearestPeople(query, { people: 1 })[0]?.cosine).toBeLessThan(0.9);
    }
  });

  test('with faces that are nearly equal, is plain again after a search that was slow, and finds the same', () => {
    const gallery = createGallery(512);
    const base = seededVector(1, 512);
    for (let imageId = 1; imageId <= 12_000; imageId += 1) {
      base[imageId % 512] = (base[imageId % 512] ?? 0) + 1e-6;
      gallery.put(imageId, imageId, base);
    }
    const [query, bytes] = [seededVector(2, 512), gallery.bytes];
    const slow = gallery.nearestPeople(query, { people: 10 });
    expect(gallery.bytes).not.toBe(bytes);
    expect(gallery.size).toBe(12_000);
    expect(gallery.nearestPeople(query, { people: 10 }).map(({ cosine }) => cosine)).toEqual(
      slow.map(({ cosine }) => cosine),
    );
  });

  test.each([
    ['one that does not fit its code', 12_000, 0.4],
    ['fewer people than are wanted', 8, 0],
  ])('with faces that differ and %s, keeps its codes after a search', (_, people, unusual) => {
    const gallery = createGallery(512);
    const vector = rotatedVectors(512);
    for (let imageId = 1; imageId <= 12_000; imageId += 1)
      gallery.put(imageId, imageId % people, vector(imageId));
    const odd = vector(1);
    if (unusual !== 0) odd[5] = unusual;
    gallery.put(12_001, 1, odd);
    const { bytes } = gallery;
    expect(gallery.nearestPeople(seededVector(77, 512), { people: 10 })).toHaveLength(Math.min(10, people));
    expect(gallery.bytes).toBe(bytes);
  });

  test('takes no more memory for a small number of faces than their vectors do', () => {
    const gallery = createGallery(512);
    for (let imageId = 1; imageId <= 16; imageId += 1) gallery.put(imageId, 1, seededVector(imageId, 512));
    expect(gallery.bytes).toBe(16 * 2048);
  });

  test('is empty at first, and refuses a vector of another length', () => {
    const gallery = createGallery(dimensions);
    expect(gallery.nearestPeople(vectorOf(1), { people: 10 })).toEqual([]);
    expect(gallery.nearestPeople(vectorOf(1), { people: 10, personId: 5 })).toEqual([]);
    expect(() => gallery.put(1, 1, new Float32Array(3))).toThrow(/3 numbers/);
  });
});
