import type { FaceQuality } from '@lynceus/engine';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { CommitUnit } from './commit-unit.js';
import { createEnrolment, type EnrolmentResult } from './enrolment.js';
import { openStaff, type Staff } from './fixtures/staff.js';
import { dimensions, embedder } from './fixtures/stored-faces.js';
import { vectorOf } from './index/fixtures/vectors.js';
import type { EmbeddedFace } from './look-at-faces.js';
import type { Perception } from './perception.js';

let faces: Staff['faces'];
let account: Staff['account'];
let staff: Staff['staff'];
let ada: Staff['ada'];
let bob: Staff['bob'];
beforeEach(async () => {
  ({ faces, account, staff, ada, bob } = await openStaff());
});
afterEach(() => faces.close());

const quality: FaceQuality = {
  sizePx: 110,
  sharpness: 100,
  yawDeg: 0,
  pitchDeg: 0,
  rollDeg: 0,
  brightness: 128,
  problems: [],
};
const point = { x: 1, y: 1 };
const face: EmbeddedFace = {
  box: { xMin: 10, yMin: 20, xMax: 110, yMax: 140 },
  score: 0.99,
  points: [point, point, point, point, point],
  quality,
  embedding: vectorOf(1, dimensions),
};

/** Adds an image to Ada; `between` happens when its row is there and its enrolment has not ended. */
async function addWhile(between: () => Promise<unknown>): Promise<void> {
  await enrol(staff, async (statements) => {
    const results = await faces.database.write(statements);
    await between();
    return results;
  });
}

function enrol(perception: Perception, commit: CommitUnit): Promise<EnrolmentResult> {
  const enrolment = createEnrolment({
    ...faces,
    lookAtFaces: async () => ({
      kind: 'jpeg',
      width: 640,
      height: 480,
      faces: [face],
      models: [],
      timingsMs: {},
    }),
    commit,
  });
  const source = { kind: 'bytes', bytes: Buffer.from('image'), encoding: 'binary' } as const;
  const { signal } = new AbortController();
  return enrolment.add(account, perception, { person: ada }, { source, signal, acceptsDegraded: false });
}

/** The same image twice; no row is written before both were examined, as on two replicas. */
function enrolTwice(perception: Perception): Promise<readonly EnrolmentResult[]> {
  let examined = 0;
  let letBothWrite: () => void = () => undefined;
  const bothExamined = new Promise<void>((resolve) => {
    letBothWrite = resolve;
  });
  const commit: CommitUnit = async (statements) => {
    examined += 1;
    if (examined === 2) letBothWrite();
    await bothExamined;
    return faces.database.write(statements);
  };
  return Promise.all([enrol(perception, commit), enrol(perception, commit)]);
}

const nearest = () =>
  faces.index.nearestPeople({ accountId: account, perceptionId: staff.id, embedder }, face.embedding, {
    people: 5,
  });

test('an image whose person is merged while it is added is found as the other', async () => {
  await addWhile(() => faces.regrouping.merge(account, ada.id, bob.id));
  expect((await nearest()).map(({ personId }) => personId)).toEqual([bob.id]);
});

test('an image whose person is deleted while it is added is found no more', async () => {
  await addWhile(() => faces.deletion.removePerson(account, ada.id));
  expect(await nearest()).toEqual([]);
  expect(await faces.blobIds()).toEqual([]);
});

test('of the same image added twice at once the second is known as the same', async () => {
  const results = await enrolTwice(staff);
  expect(results.map(({ outcome }) => outcome)).toEqual(['added', 'added']);
  const problems = results.flatMap((result) => ('findings' in result ? result.findings : []));
  expect(problems.map(({ problem }) => problem)).toEqual(['same-image']);
});

test('where the same image is refused, one of two that are added at once is', async () => {
  const results = await enrolTwice({ ...staff, refusedProblems: ['same-image'] });
  expect(results.map(({ outcome }) => outcome).sort()).toEqual(['added', 'refused']);
  expect(results.find(({ outcome }) => outcome === 'refused')).toMatchObject({
    findings: [{ problem: 'same-image' }],
  });
  expect(await faces.images.count(account, staff.id)).toBe(1);
  expect(await faces.blobIds()).toHaveLength(1);
});
