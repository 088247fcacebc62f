import { Readable } from 'node:stream';
import { EngineError } from '@lynceus/engine';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { ServiceError } from '../../core/service-error.js';
import { readTar, readWhole } from '../../storage/archive/read-tar.js';
import { type TarMember, writeTar } from '../../storage/archive/write-tar.js';
import { createCorrections } from '../corrections.js';
import { dimensions, embedder, type StoredFaces } from '../fixtures/stored-faces.js';
import { vectorOf } from '../index/fixtures/vectors.js';
import { exportPerception, type LeftOut } from './export-perception.js';
import { imageOf, openTwoInstallations, type TwoInstallations } from './fixtures/two-installations.js';

let installations: TwoInstallations;
beforeEach(async () => {
  installations = await openTwoInstallations();
});
afterEach(() => installations.close());

describe('a perception that was exported and imported elsewhere', () => {
  test('has new ids, the same settings, names, key ids and images, and finds the same people', async () => {
    const { here, there, account, otherAccount, perception } = installations;
    await installations.enrol(7, 3);
    const [first] = (await here.people.list(account, perception.id, {}, { limit: 1, after: undefined }))
      .items;
    const corrections = createCorrections({ ...here, clock: Date.now });
    await corrections.add(account, first?.id ?? 0, embedder, vectorOf(9, dimensions));
    const receipt = await installations.take(await installations.exported());
    expect(receipt).toMatchObject({ people: 7, images: 21, reEmbedded: 0, leftOut: 0 });
    const { id, uid, createdAt, ...settings } = receipt.perception;
    expect(settings).toEqual({
      name: perception.name,
      decisionSimilarity: 0.6,
      wantsLiveness: false,
      namesRecognition: false,
      refusedProblems: ['blurred'],
      calibration: null,
      embedder,
    });
    expect([id === perception.id, uid === perception.uid, createdAt > 0]).toEqual([false, false, true]);

    const [before, after] = [
      { accountId: account, perceptionId: perception.id, embedder },
      { accountId: otherAccount, perceptionId: id, embedder },
    ];
    for (let query = 0; query < 50; query += 1) {
      const asked = vectorOf(query, dimensions);
      const [own, theirs] = await Promise.all([
        here.index.nearestPeople(before, asked, { people: 5 }),
        there.index.nearestPeople(after, asked, { people: 5 }),
      ]);
      const namesOf = async (faces: StoredFaces, of: number, found: typeof own) => {
        const people = await faces.people.named(
          of,
          found.map(({ personId }) => personId),
        );
        return found.map(({ personId, cosine }) => {
          const person = people.get(personId);
          return [person?.name, person?.keyId, cosine.toFixed(6)];
        });
      };
      expect(await namesOf(there, otherAccount, theirs)).toEqual(await namesOf(here, account, own));
    }

    const wanted = { perceptionId: id };
    const images = (await there.images.list(otherAccount, wanted, { limit: 100, after: undefined })).items;
    const serials = await Promise.all(
      images.map(async ({ blobId }) => {
        const blob = await there.imageFiles.read(blobId);
        const bytes = await blob?.stream.toArray();
        return Buffer.concat(bytes ?? [])[3];
      }),
    );
    expect(serials.reverse()).toEqual(Array.from({ length: 21 }, (_, serial) => serial));
    const [kept] = await there.database.query.selectFrom('face_correction').selectAll().execute();
    expect(kept?.vector).toBeDefined();
    const corrected = await there.people.find(otherAccount, kept?.person_id ?? 0);
    expect(corrected?.name).toBe(first?.name);
  });

  test('is taken in the form of version 1 as well, with its names of then', async () => {
    await installations.enrol(2, 2);
    const members: TarMember[] = [];
    for await (const member of readTar(Readable.from([await installations.exported()]))) {
      const text = (await readWhole(member, 100_000)).toString('latin1');
      const older =
        member.name === 'perception.json'
          ? text.replace('"formatVersion":3', '"formatVersion":1').replace('"blurred"', '"same-picture"')
          : text;
      const content = [Buffer.from(older, 'latin1')];
      const olderName = member.name.replace(/\.image$/, '.picture');
      members.push({ name: olderName, sizeBytes: older.length, content });
    }
    expect(members.map(({ name }) => name)).toContain('images/1001.picture');
    const archive = await Readable.from(writeTar(Readable.from(members))).toArray();
    const { perception, images } = await installations.take(Buffer.concat(archive));
    expect([images, perception.refusedProblems]).toEqual([4, ['same-image']]);
  });

  test('tells of images that it is without: lost images, and faces that are not described', async () => {
    const { here, account, perception } = installations;
    await installations.enrol(2, 2);
    const images = await here.images.list(
      account,
      { perceptionId: perception.id },
      { limit: 9, after: undefined },
    );
    const [lost, notEmbedded] = images.items;
    await here.imageFiles.remove(lost?.blobId ?? '');
    await here.database.write([
      here.database.query.deleteFrom('face_embedding').where('image_id', '=', notEmbedded?.id ?? 0),
    ]);
    const reported: unknown[] = [];
    const pieces: Uint8Array[] = [];
    const onLeftOut = (left: LeftOut) => reported.push(left);
    for await (const piece of exportPerception(here, account, perception, { onLeftOut })) pieces.push(piece);
    expect(reported).toEqual([{ notEmbedded: 1, withoutImage: 1 }]);
    expect(await installations.take(Buffer.concat(pieces))).toMatchObject({ images: 2, leftOut: 2 });
  });

  test('of more images than are kept at once has all of them, in their order', async () => {
    const { there, otherAccount } = installations;
    await installations.enrol(3, 40);
    const { perception } = await installations.take(await installations.exported());
    const page = { limit: 200, after: undefined };
    const { items } = await there.images.list(otherAccount, { perceptionId: perception.id }, page);
    const persons = (await there.people.list(otherAccount, perception.id, {}, page)).items;
    const nameOf = new Map(persons.map(({ id, name }) => [id, name]));
    expect([...items].reverse().map(({ personId }) => nameOf.get(personId))).toEqual(
      [0, 1, 2].flatMap((person) => Array<string>(40).fill(`person ${person}`)),
    );
  });

  test('has who was added while it was on its way out, and nobody twice', async () => {
    const { here, there, account, otherAccount, perception } = installations;
    await installations.enrol(4, 1);
    const page = { limit: 200, after: undefined };
    const all = (await here.people.list(account, perception.id, {}, page)).items;
    const [moved] = (await here.images.list(account, { perceptionId: perception.id }, page)).items;
    const keyed = all.find(({ keyId }) => keyId === 'key 1');
    if (moved === undefined || keyed === undefined) throw new Error('nobody was enrolled');
    const meanwhile = async () => {
      await here.regrouping.move(account, perception, [moved.id], { name: 'new' });
      await here.people.change(account, keyed.id, { keyId: null });
      const heir = await here.people.create(account, perception.id, { name: 'heir', keyId: 'key 1' });
      const corrections = createCorrections({ ...here, clock: Date.now });
      await corrections.add(account, heir.id, embedder, vectorOf(9, dimensions));
    };
    const receipt = await installations.take(await installations.exported(meanwhile));
    expect(receipt).toMatchObject({ people: 6, images: 4 });
    const persons = (await there.people.list(otherAccount, receipt.perception.id, {}, page)).items;
    const reported = persons.map(({ name, keyId, images }) => [name, keyId, images]);
    expect(reported).toContainEqual(['new', null, 1]);
    expect(reported).toContainEqual(['person 1', 'key 1', 1]);
    expect(reported).toContainEqual(['heir', null, 0]);
  });

  test('has the corrections of other versions of its embedder too, and none of another model', async () => {
    const { here, there, account, perception } = installations;
    await installations.enrol(1, 1);
    const page = { limit: 1, after: undefined };
    const [person] = (await here.people.list(account, perception.id, {}, page)).items;
    const corrections = createCorrections({ ...here, clock: Date.now });
    const id = embedder.split('@')[0];
    for (const [seed, from] of [embedder, `${id}@other.1`, 'another@1'].entries()) {
      await corrections.add(account, person?.id ?? 0, from, vectorOf(seed, dimensions));
    }
    await installations.take(await installations.exported());
    const kept = await there.database.query.selectFrom('face_correction').select('embedder').execute();
    expect(kept).toEqual([{ embedder }, { embedder }]);
  });

  test('that was deleted while it was exported is not reported as whole', async () => {
    const { here, account, perception } = installations;
    await installations.enrol(2, 1);
    const exported = installations.exported(async () => {
      await here.deletion.removePerception(account, perception.id);
    });
    await expect(exported).rejects.toMatchObject({ message: expect.stringMatching(/was deleted/) });
  });

  test('is re-embedded where its embedder is not installed', async () => {
    const { here, there, account, otherAccount } = installations;
    await installations.enrol(2, 2);
    const [image] = (await here.images.list(account, {}, { limit: 1, after: undefined })).items;
    let looks = 0;
    const [fresh, hidden] = [vectorOf(77, dimensions), imageOf(3)];
    const receipt = await installations.take(await installations.exported(), {
      embedder: 'newer@2',
      isInstalled: () => false,
      lookAtFaces: async (source) => {
        if (image === undefined || source.kind !== 'bytes') throw new Error('no image');
        looks += 1;
        // Too many others are waiting, once.
        if (looks === 1) {
          throw new ServiceError('service_busy', 'busy', { cause: new EngineError('busy', 'busy') });
        }
        const face = { ...image.face, embedding: fresh };
        const isHidden = Buffer.compare(source.bytes, hidden) === 0;
        const faces = isHidden ? [] : [face];
        return { kind: 'jpeg', width: 640, height: 480, faces, models: [], timingsMs: {} };
      },
    });
    expect(receipt).toMatchObject({ images: 3, reEmbedded: 3, leftOut: 1 });
    expect(receipt.perception.embedder).toBe('newer@2');
    const gallery = { accountId: otherAccount, perceptionId: receipt.perception.id, embedder: 'newer@2' };
    const [found] = await there.index.nearestPeople(gallery, fresh, { people: 1 });
    expect(found?.cosine).toBeCloseTo(1, 5);
  });
});
