import { EngineError, type FaceQuality } from '@lynceus/engine';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { systemClock } from '../../core/clock.js';
import { toServiceError } from '../../core/engine-errors.js';
import { type Job, JobFailure } from '../../service/jobs/job.js';
import { createJobs } from '../../service/jobs/jobs.js';
import { embedder, openStoredFaces, type StoredFaces } from '../fixtures/stored-faces.js';
import { createProposeCalibration } from '../propose-calibration.js';
import type { EmbedImage } from './embed-image.js';
import { createReEmbedPerception, reEmbedPerceptionKind } from './re-embed-perception.js';
import { createStoredEmbeddings } from './stored-embeddings.js';

let faces: StoredFaces;
let job: Job;
beforeEach(async () => {
  faces = await openStoredFaces();
  const accountId = await faces.makeAccount('one');
  const { id } = await faces.perceptions.create(accountId, { name: 'staff' });
  const ada = await faces.people.create(accountId, id, { name: 'Ada' });
  for (let image = 0; image < 12; image += 1) await faces.addImage(accountId, ada);
  const jobs = createJobs({ database: faces.database, clock: systemClock });
  const row = { kind: reEmbedPerceptionKind, subject: String(id), payload: null };
  const inserted = jobs.insert(accountId, row);
  await faces.database.write([inserted.statement]);
  job = {
    id: inserted.id,
    accountId,
    kind: reEmbedPerceptionKind,
    subject: String(id),
    state: 'running',
    isCancelAsked: false,
    payload: { embedder: 'other@1', leaveOut: true },
    progress: { stage: null, done: 0, total: null },
    result: null,
    error: null,
    createdAt: 0,
    startedAt: 0,
    endedAt: null,
  };
});
afterEach(() => faces.close());

const quality: FaceQuality = {
  sizePx: 110,
  sharpness: 9,
  directionalSharpness: 0.1,
  coverage: 0,
  yawDeg: 0,
  pitchDeg: 0,
  rollDeg: 0,
  brightness: 128,
  problems: ['blurred'],
};

function run(embedImage: EmbedImage): Promise<unknown> {
  const storedEmbeddings = createStoredEmbeddings(faces.database);
  const proposeCalibration = createProposeCalibration(faces.database);
  const kind = createReEmbedPerception({
    ...faces,
    storedEmbeddings,
    embedImage,
    proposeCalibration,
    onChange: () => undefined,
  });
  return kind.run(job, { signal: new AbortController().signal, progress: () => undefined, fence: [] });
}

test('an engine that fails at every image fails the change, and leaves no perception empty', async () => {
  await expect(run(async () => ({ reason: 'analysis-failed' }))).rejects.toThrow(/its log says why/);
  const perception = await faces.perceptions.read(job.accountId, Number(job.subject));
  expect(perception.embedder).toBe(embedder);
});

test('models that are not there fail it for good, and their names stay in the log', async () => {
  const missing = async () => {
    throw toServiceError(new EngineError('model-missing', '/models/secret is not there'));
  };
  const failure = await run(missing).catch((error: unknown) => error);
  expect(failure).toBeInstanceOf(JobFailure);
  expect(String(failure)).toMatch(/not installed.*ask again/);
  expect(String(failure)).not.toContain('secret');
});

test('a decision point of its own keeps the rate of false matches when the revision changes, and the job reports it', async () => {
  const id = Number(job.subject);
  const { database } = faces;
  await faces.perceptions.change(job.accountId, id, { decisionSimilarity: 0.7 });
  await database.write([
    database.query.updateTable('face_embedding').set({ embedder: 'fr-feature@1' }),
    database.query.updateTable('perception').set({ embedder: 'fr-feature@1' }),
  ]);
  job = { ...job, payload: { embedder: 'fr-feature@1.2', leaveOut: false } };
  const result = await run(async () => ({ vector: new Float32Array(512).fill(0.04), quality }));
  const now = await faces.perceptions.read(job.accountId, id);
  expect(now.embedder).toBe('fr-feature@1.2');
  // What earlier programs did not measure of a face is known from now on.
  const [image] = (
    await faces.images.list(job.accountId, { perceptionId: id }, { limit: 1, after: undefined })
  ).items;
  expect(image?.face.quality).toEqual(quality);
  expect(now.decisionSimilarity).not.toBe(0.7);
  expect(result).toMatchObject({
    outcome: 'changed',
    refit: { from: { similarity: 0.7 }, to: { similarity: now.decisionSimilarity }, pairs: 0 },
  });
  // Another model says nothing of the rate: its own figures hold.
  job = { ...job, payload: { embedder: 'dlib-resnet@1.2', leaveOut: false } };
  expect(await run(async () => ({ vector: new Float32Array(128).fill(0.08), quality }))).toEqual({
    outcome: 'changed',
  });
  expect((await faces.perceptions.read(job.accountId, id)).decisionSimilarity).toBe(now.decisionSimilarity);
});

test('a decision point that the owner changes during the embedding is the one that is kept in rate', async () => {
  const id = Number(job.subject);
  const { database } = faces;
  await faces.perceptions.change(job.accountId, id, { decisionSimilarity: 0.7 });
  await database.write([
    database.query.updateTable('face_embedding').set({ embedder: 'fr-feature@1' }),
    database.query.updateTable('perception').set({ embedder: 'fr-feature@1' }),
  ]);
  job = { ...job, payload: { embedder: 'fr-feature@1.2', leaveOut: false } };
  let isChanged = false;
  const write = database.write.bind(database);
  // The owner's change comes between the computation and the switch.
  const racing = {
    ...faces,
    database: {
      ...database,
      write: async (...given: Parameters<typeof write>) => {
        if (!isChanged && given[0].length === 2) {
          isChanged = true;
          await faces.perceptions.change(job.accountId, id, { decisionSimilarity: 0.6 });
        }
        return write(...given);
      },
    },
  };
  const kind = createReEmbedPerception({
    ...racing,
    storedEmbeddings: createStoredEmbeddings(database),
    embedImage: async () => ({ vector: new Float32Array(512).fill(0.04), quality }),
    proposeCalibration: createProposeCalibration(database),
    onChange: () => undefined,
  });
  const result = await kind.run(job, {
    signal: new AbortController().signal,
    progress: () => undefined,
    fence: [],
  });
  expect(isChanged).toBe(true);
  expect(result).toMatchObject({ refit: { from: { similarity: 0.6 } } });
});
