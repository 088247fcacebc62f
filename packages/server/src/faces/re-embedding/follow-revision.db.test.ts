import { afterEach, beforeEach, expect, test } from 'vitest';
import { systemClock } from '../../core/clock.js';
import { ServiceError } from '../../core/service-error.js';
import { createJobs } from '../../service/jobs/jobs.js';
import type { InstalledModel } from '../embedder-figures.js';
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

const allInstalled: InstalledModel = (id) => ({ id, version: 'abc', dir: `/models/${id}` });
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

function open(installedModel: InstalledModel = allInstalled) {
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
  return { follow, begun, change, jobs, wanted };
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

test('perceptions of a chain that is not installed hold up no others', async () => {
  const account = await faces.makeAccount('one');
  const absent = await makePerception(account, 'fr-feature@abc.2');
  const follows = await makePerception(account, 'dlib-resnet@abc');
  const { follow, begun, wanted } = open((id) => (id === 'fr-feature' ? undefined : allInstalled(id)));
  await follow();
  expect(begun).toEqual([follows]);
  expect(await wanted(account, absent)).toBeNull();
});

test('a conflict at one perception holds up no others', async () => {
  const account = await faces.makeAccount('one');
  const cancelled = await makePerception(account, 'fr-feature@abc');
  const follows = await makePerception(account, 'fr-feature@abc');
  const { change, begun } = open();
  const deps = {
    ...faces,
    installedModel: allInstalled,
    onBegun: ({ perceptionId }: { readonly perceptionId: number }) => begun.push(perceptionId),
    change: {
      read: change.read,
      begin: (...[accountId, perception, wanted]: Parameters<typeof change.begin>) => {
        if (perception.id === cancelled) throw new ServiceError('conflict', 'a change is about to end');
        return change.begin(accountId, perception, wanted);
      },
    },
  };
  await followRevision(deps, signal);
  expect(begun).toEqual([follows]);
});

test('a failed change to an earlier version is begun again to the present one, and one to the present is left', async () => {
  const account = await faces.makeAccount('one');
  const earlier = await makePerception(account, 'fr-feature@abc');
  const same = await makePerception(account, 'fr-feature@abc');
  const { follow, begun, jobs } = open();
  for (const [id, embedder] of [
    [earlier, 'fr-feature@def.2'],
    [same, 'fr-feature@abc.2'],
  ] as const) {
    const payload = { embedder, leaveOut: false };
    const { statement } = jobs.insert(account, { kind: reEmbedPerceptionKind, subject: String(id), payload });
    await faces.database.write([statement]);
  }
  await faces.database.write([
    faces.database.query.updateTable('job').set({ state: 'failed', ended_at: 1, error: 'no space' }),
  ]);
  await follow();
  expect(begun).toEqual([earlier]);
});
