import sharp from 'sharp';
import { describe, expect, test } from 'vitest';
import { brokenGuarantees } from '#bench/faces-round-trip/broken-guarantees.js';
import { carryPerception } from '#bench/faces-round-trip/round-trip.js';
import { drawFaces } from '#engine/tasks/faces/fixtures/drawn-face.js';
import { haveDefaultModels } from './support/default-models.js';

/** Drawn faces of another tint and turn each. */
async function drawSubjects(count: number) {
  return Promise.all(
    Array.from({ length: count }, async (_, at) => {
      const tiltDeg = 8 * (at - (count - 1) / 2);
      const drawn = await drawFaces(280, 280, [{ x: 140, y: 140, unit: 5, tiltDeg }]);
      const face = await sharp(drawn)
        .modulate({ hue: 9 * at, saturation: 1 - at / 10 })
        .png()
        .toBuffer();
      return { name: `Zoë ${at}`, faces: [face] };
    }),
  );
}

// The short form of `npm run bench -- faces-round-trip`, which carries 5,000 photographs.
describe.skipIf(!(await haveDefaultModels()))('a perception', () => {
  test('is exported, deleted for good, and answers the same in another installation', {
    timeout: 300_000,
  }, async () => {
    const subjects = await drawSubjects(4);
    const figures = await carryPerception({ subjects, images: 24, searches: 12, log: () => undefined });
    expect(brokenGuarantees(figures)).toEqual([]);
    // That there was something to carry, and something to find.
    expect(figures.held).toMatchObject({
      people: 4,
      images: 24,
      embeddings: 24,
      corrections: 1,
      imageFiles: 24,
    });
    expect(figures.hits).toBeGreaterThan(6);
    expect(figures.arrived.perceptions).toBe(2);
  });
});
