import { EngineError } from '@lynceus/engine';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { toServiceError } from '../../core/engine-errors.js';
import { type Job, JobFailure } from '../../jobs/job.js';
import { embedder, openStoredFaces, type StoredFaces } from '../fixtures/stored-faces.js';
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
  job = {
    id: 'job',
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

function run(embedImage: EmbedImage): Promise<unknown> {
  const storedEmbeddings = createStoredEmbeddings(faces.database);
  const kind = createReEmbedPerception({ ...faces, storedEmbeddings, embedImage, onChange: () => undefined });
  return kind.run(job, { signal: new AbortController().signal, progress: () => undefined });
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
