import { afterEach, beforeEach, expect, test } from 'vitest';
import { dimensions, embedder, openStoredFaces, type StoredFaces } from './fixtures/stored-faces.js';
import { vectorOf } from './index/fixtures/vectors.js';
import { createProposeCalibration } from './propose-calibration.js';

let faces: StoredFaces;
let account: number;
let perceptionId: number;
beforeEach(async () => {
  faces = await openStoredFaces();
  account = await faces.makeAccount('one');
  perceptionId = (await faces.perceptions.create(account, { name: 'staff' })).id;
});
afterEach(() => faces.close());

/** Images of a person lie around a direction of their own. */
function imageVector(person: number, image: number): Float32Array {
  const [own, other] = [
    vectorOf(person + 1, dimensions),
    vectorOf(10_000 + 100 * person + image, dimensions),
  ];
  const mixed = own.map((value, at) => value + 0.5 * (other[at] ?? 0));
  const length = Math.hypot(...mixed);
  return mixed.map((value) => value / length);
}
async function enrol(people: number, images: number, vectorFor = imageVector): Promise<void> {
  for (let index = 0; index < people; index += 1) {
    const person = await faces.people.create(account, perceptionId, { name: `person ${index}` });
    for (let image = 0; image < images; image += 1) {
      await faces.addImage(account, person, { vector: vectorFor(index, image) });
    }
  }
}
const propose = (id = account) =>
  createProposeCalibration(faces.database)(id, { id: perceptionId, embedder });

test("a calibration of the perception's own people tells them apart, and draws how", async () => {
  await enrol(30, 3);
  await enrol(1, 1);
  const found = await propose();
  expect(found).toMatchObject({ people: 30, images: 90, pairs: { genuine: 90, impostor: 3870 } });
  const errors = found.errorsAt(found.calibration.midpoint);
  expect(errors.falseMatchRate).toBeLessThanOrEqual(1e-3);
  expect(errors.falseNonMatchRate).toBeLessThan(0.2);
  expect(found.errorsAt(-1)).toEqual({
    falseMatchRate: expect.closeTo(1, 9),
    falseNonMatchRate: expect.closeTo(0, 9),
  });
  expect(found.calibration.midpoint).toBeGreaterThan(0.3);
  expect(found.calibration.midpoint).toBeLessThan(0.9);
  expect(found.calibration.slope).toBeGreaterThan(5);
  expect(found.distributions.genuine).toHaveLength(60);
  const calibrated = await faces.perceptions.calibrate(
    account,
    { id: perceptionId, embedder },
    found.calibration,
  );
  expect(calibrated.calibration).toEqual(found.calibration);
});

test('too few people are refused, with the number that is needed', async () => {
  await enrol(24, 2);
  await enrol(5, 1);
  await expect(propose()).rejects.toMatchObject({
    code: 'conflict',
    message: 'recalibration needs 25 people with two images or more, and the perception has 24',
  });
});

test('the same image twice is no pair of images', async () => {
  for (let index = 0; index < 25; index += 1) {
    const person = await faces.people.create(account, perceptionId, { name: 'twice' });
    for (let image = 0; image < 3; image += 1) {
      await faces.addImage(account, person, { imageSha256: `image ${index}` });
    }
  }
  await expect(propose()).rejects.toMatchObject({
    message: expect.stringMatching(/needs 50 pairs .* has 0/),
  });
});

test('images that stand under the wrong people are refused', async () => {
  await enrol(30, 3, (person, image) => vectorOf(1000 * image + person, dimensions));
  await expect(propose()).rejects.toMatchObject({ code: 'conflict', message: /no more alike/ });
});

test("another account's images are not looked at", async () => {
  await enrol(30, 2);
  const other = await faces.makeAccount('two');
  await expect(propose(other)).rejects.toMatchObject({ message: /the perception has 0/ });
});
