import { afterEach, beforeEach, expect, test } from 'vitest';
import { systemClock } from '../../core/clock.js';
import { createJobs } from '../../jobs/jobs.js';
import { openStoredFaces, type StoredFaces } from '../fixtures/stored-faces.js';
import { createEmbedderChange } from './embedder-change.js';
import { followRevision } from './follow-revision.js';
import { reEmbedPerceptionKind } from './re-embed-perception.js';
import { createStoredEmbeddings } from './stored-embeddings.js';

let faces: StoredFaces;
beforeEach(async () => {
  faces = await openStoredFaces();
});
afterEach(() => faces.close());

const installedModel = (id: string) => ({ id, version: 'abc', dir: `/models/${id}` });
const { signal } = new AbortController();

async function makePerception(accountId: number, embedder: string): Promise<number> {
  const { id } = await faces.perceptions.create(accountId, { name: embedder });
  const person = await faces.people.create(accountId, id, { name: 'Ada' });
  await faces.addImage(accountId, person);
  const { database } = faces;
  await database.write([
    database.query
      .updateTable('perception')
      .set({ embedder })
      .where('account_id', '=', accountId)
      .where('id', '=', id),
  ]);
  return id;
}

function open() {
  const { database } = faces;
  const jobs = createJobs({ database, clock: systemClock });
  const storedEmbeddings = createStoredEmbeddings(database);
  const change = createEmbedderChange({
    ...faces,
    database,
    clock: systemClock,
    jobs,
    storedEmbeddings,
    installedModel,
  });
  const begun: number[] = [];
  const onBegun = ({ perceptionId }: { readonly perceptionId: number }) => begun.push(perceptionId);
  const follow = () => followRevision({ ...faces, installedModel, change, onBegun }, signal);
  const wanted = async (accountId: number, id: number) =>
    (await jobs.latest(accountId, reEmbedPerceptionKind, String(id)))?.payload ?? null;
  return { follow, begun, jobs, wanted };
}

test('perceptions of the revision before and of another version are embedded again, each once, and no others', async () => {
  const [one, two] = [await faces.makeAccount('one'), await faces.makeAccount('two')];
  const former = await makePerception(one, 'fr-feature@abc');
  const present = await makePerception(one, 'fr-feature@abc.2');
  const otherVersion = await makePerception(one, 'fr-feature@def');
  const unknown = await makePerception(one, 'test@1');
  const permissive = await makePerception(two, 'dlib-resnet@abc');
  const { follow, begun, wanted } = open();
  await follow();
  expect(begun).toEqual([former, otherVersion, permissive]);
  expect(await wanted(one, former)).toEqual({ embedder: 'fr-feature@abc.2', leaveOut: false });
  expect(await wanted(two, permissive)).toEqual({ embedder: 'dlib-resnet@abc.2', leaveOut: false });
  expect(await wanted(one, otherVersion)).toEqual({ embedder: 'fr-feature@abc.2', leaveOut: false });
  for (const id of [present, unknown]) expect(await wanted(one, id)).toBeNull();
  await follow();
  expect(begun).toHaveLength(3);
});

test('a change to another model that was asked for is left alone', async () => {
  const account = await faces.makeAccount('one');
  const id = await makePerception(account, 'fr-feature@abc');
  const { follow, begun, jobs, wanted } = open();
  const payload = { embedder: 'dlib-resnet@abc.2', leaveOut: true };
  const { statement } = jobs.insert(account, { kind: reEmbedPerceptionKind, subject: String(id), payload });
  await faces.database.write([statement]);
  await follow();
  expect(begun).toEqual([]);
  expect(await wanted(account, id)).toEqual(payload);
});
