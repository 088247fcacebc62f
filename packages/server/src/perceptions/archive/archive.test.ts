import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createCorrections } from '../corrections.js';
import { dimensions, embedder, openStoredFaces, type StoredFaces } from '../fixtures/stored-faces.js';
import { vectorOf } from '../index/fixtures/vectors.js';
import type { Perception } from '../perception.js';
import { exportPerception } from './export-perception.js';
import { type ImportDeps, importPerception } from './import-perception.js';
import { jsonMember, type TarMember, writeTar } from './write-tar.js';

let here: StoredFaces;
let there: StoredFaces;
let account: number;
let otherAccount: number;
let perception: Perception;
beforeEach(async () => {
  [here, there] = await Promise.all([openStoredFaces(), openStoredFaces()]);
  account = await here.makeAccount('one');
  // Ids there are others.
  await there.makeAccount('somebody');
  otherAccount = await there.makeAccount('one');
  await there.perceptions.create(otherAccount, { name: 'first' });
  perception = await here.perceptions.create(account, {
    name: 'Empfang ☕',
    decisionSimilarity: 0.6,
    refusedProblems: ['blurred'],
  });
});
afterEach(() => Promise.all([here.close(), there.close()]));

const pictureOf = (serial: number) =>
  Buffer.concat([Buffer.from([0xff, 0xd8, 0xff]), Buffer.alloc(900, serial)]);

async function enrol(people: number, images: number): Promise<void> {
  for (let index = 0; index < people; index += 1) {
    const keyId = index % 2 ? `key ${index}` : null;
    const person = await here.people.create(account, perception.id, { name: `person ${index}`, keyId });
    for (let image = 0; image < images; image += 1) {
      const serial = index * images + image;
      const picture = pictureOf(serial);
      const pictureSha256 = createHash('sha256').update(picture).digest('hex');
      const id = await here.addImage(account, person, {
        keyId,
        pictureSha256,
        vector: vectorOf(5000 + serial, dimensions),
      });
      const { blobId } = await here.images.read(account, id);
      await here.pictures.write(blobId, pieces([picture]));
    }
  }
}
async function* pieces(all: readonly Uint8Array[]): AsyncIterable<Uint8Array> {
  yield* all;
}
async function exported(): Promise<Buffer> {
  const all: Uint8Array[] = [];
  for await (const piece of exportPerception(here, account, perception)) all.push(piece);
  return Buffer.concat(all);
}
const depsThere = (changes: Partial<ImportDeps> = {}): ImportDeps => ({
  ...there,
  corrections: createCorrections({ database: there.database, clock: Date.now }),
  lookAtFaces: async () => {
    throw new Error('no picture is looked at');
  },
  embedder,
  isInstalled: (name) => name === embedder,
  maxPictureBytes: 10_000,
  ...changes,
});
const { signal } = new AbortController();
const take = (archive: Iterable<Uint8Array>, changes?: Partial<ImportDeps>) =>
  importPerception(depsThere(changes), otherAccount, pieces([...archive]), { signal });
const takeWhole = (archive: Buffer) => take(cut(archive, 1000));

function* cut(archive: Buffer, size: number): Iterable<Buffer> {
  for (let at = 0; at < archive.byteLength; at += size) yield archive.subarray(at, at + size);
}
async function tarOf(...members: readonly TarMember[]): Promise<Buffer> {
  const all: Uint8Array[] = [];
  async function* each() {
    yield* members;
  }
  for await (const piece of writeTar(each())) all.push(piece);
  return Buffer.concat(all);
}
/** Nothing but the perception that was there before. */
async function expectNothingLeft(): Promise<void> {
  for (const table of ['person', 'face_image', 'face_embedding', 'face_correction'] as const) {
    expect(await there.database.query.selectFrom(table).selectAll().execute()).toEqual([]);
  }
  const rows = await there.database.query.selectFrom('perception').select('name').execute();
  expect(rows).toEqual([{ name: 'first' }]);
  expect(await there.blobIds()).toEqual([]);
}

describe('a perception that was exported and imported elsewhere', () => {
  test('has new ids, the same settings, names, key ids and pictures, and finds the same people', async () => {
    await enrol(7, 3);
    const [first] = (await here.people.list(account, perception.id, {}, { limit: 1, after: undefined }))
      .items;
    const corrections = createCorrections({ database: here.database, clock: Date.now });
    await corrections.add(account, first?.id ?? 0, embedder, vectorOf(9, dimensions));
    const receipt = await takeWhole(await exported());
    expect(receipt).toMatchObject({ people: 7, images: 21, describedAnew: 0, leftOut: 0 });
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
        const blob = await there.pictures.read(blobId);
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

  test('is seen by nobody until all of it is there', async () => {
    await enrol(3, 2);
    const archive = await exported();
    let seen = 0;
    await take(cut(archive, 500), {
      pictures: {
        write: async (blobId, content) => {
          seen += (await there.perceptions.list(otherAccount, { limit: 10, after: undefined })).items.length;
          return there.pictures.write(blobId, content);
        },
        remove: there.pictures.remove,
      },
    });
    expect(seen).toBe(6);
    expect((await there.perceptions.list(otherAccount, { limit: 10, after: undefined })).items).toHaveLength(
      2,
    );
  });

  test('whose import was killed is removed at the next start', async () => {
    await enrol(3, 2);
    const archive = await exported();
    const killed = new Error('killed');
    const dying = take(cut(archive, 500), {
      deletion: { finishOne: () => Promise.reject(killed) },
      pictures: { write: there.pictures.write, remove: there.pictures.remove },
      perceptions: { ...there.perceptions, reveal: () => Promise.reject(killed) },
    });
    await expect(dying).rejects.toBe(killed);
    expect(await there.deletion.finish()).toBe(1);
    await expectNothingLeft();
  });

  test('is described anew where its embedder is not installed', async () => {
    await enrol(2, 2);
    const [image] = (await here.images.list(account, {}, { limit: 1, after: undefined })).items;
    const [fresh, hidden] = [vectorOf(77, dimensions), pictureOf(3)];
    const receipt = await take(cut(await exported(), 700), {
      embedder: 'newer@2',
      isInstalled: () => false,
      lookAtFaces: async (source) => {
        if (image === undefined || source.kind !== 'bytes') throw new Error('no image');
        const face = { ...image.face, embedding: fresh };
        const isHidden = Buffer.compare(source.bytes, hidden) === 0;
        const faces = isHidden ? [] : [face];
        return { kind: 'jpeg', width: 640, height: 480, faces, models: [], timingsMs: {} };
      },
    });
    expect(receipt).toMatchObject({ images: 3, describedAnew: 3, leftOut: 1 });
    expect(receipt.perception.embedder).toBe('newer@2');
    const gallery = { accountId: otherAccount, perceptionId: receipt.perception.id, embedder: 'newer@2' };
    const [found] = await there.index.nearestPeople(gallery, fresh, { people: 1 });
    expect(found?.cosine).toBeCloseTo(1, 5);
  });
});

describe('an archive that is refused leaves nothing', () => {
  test('cut anywhere', async () => {
    await enrol(3, 2);
    const archive = await exported();
    for (let at = 100; at < archive.byteLength - 1024; at += 1777) {
      await expect(takeWhole(archive.subarray(0, at))).rejects.toMatchObject({ code: 'bad_request' });
    }
    await expectNothingLeft();
  });

  test('changed anywhere, or taken as it was where that changed nothing', async () => {
    await enrol(1, 1);
    const archive = await exported();
    await fc.assert(
      fc.asyncProperty(fc.nat(archive.byteLength - 1), fc.integer({ min: 1, max: 255 }), async (at, by) => {
        const changed = Buffer.from(archive);
        changed[at] = (changed[at] ?? 0) ^ by;
        const outcome = await takeWhole(changed).then(
          ({ perception: { id } }) => there.deletion.removePerception(otherAccount, id),
          (error: { code?: unknown }) => error.code,
        );
        if (typeof outcome !== 'object') expect(outcome).toBe('bad_request');
      }),
      { numRuns: 60 },
    );
    await expectNothingLeft();
  });

  const perceptionMember = (changes: object = {}) =>
    jsonMember('perception.json', {
      format: 'lynceus-perception',
      formatVersion: 1,
      name: 'a',
      decisionSimilarity: 0.5,
      wantsLiveness: false,
      namesRecognition: false,
      refusedProblems: [],
      calibration: null,
      embedder,
      images: 0,
      ...changes,
    });
  const ada = { person: 1, name: 'Ada', keyId: 'a', createdAt: 1 };
  const end = (people: number, images: number) => jsonMember('end.json', { people, images });
  const link = async () => {
    const archive = await tarOf(perceptionMember(), jsonMember('people/1.json', []), end(0, 0));
    const at = archive.indexOf('people/1.json');
    // A symbolic link, with a check sum that is right for it.
    archive[at + 156] = '2'.charCodeAt(0);
    archive.fill(' ', at + 148, at + 156);
    const sum = archive.subarray(at, at + 512).reduce((total, byte) => total + byte, 0);
    archive.write(`${sum.toString(8).padStart(6, '0')}\0 `, at + 148, 'latin1');
    return archive;
  };
  test.each<[string, () => Buffer | Promise<Buffer>, RegExp]>([
    ['no tar file', () => Buffer.alloc(5000, 'x'), /no plain tar/],
    ['an empty file', () => Buffer.alloc(0), /no plain tar/],
    [
      'a compressed one',
      () => Buffer.concat([Buffer.from([0x1f, 0x8b, 8, 0]), Buffer.alloc(2000)]),
      /no plain tar/,
    ],
    ['without an end', () => tarOf(perceptionMember()), /cut short/],
    [
      'of a later version',
      () => tarOf(perceptionMember({ formatVersion: 2 }), end(0, 0)),
      /perception.json is not/,
    ],
    ['with a name that is none', () => tarOf(perceptionMember({ name: ' ' }), end(0, 0)), /name must have/],
    ['that begins with people', () => tarOf(jsonMember('people/1.json', [ada])), /begin with perception/],
    [
      'with a path',
      () => tarOf(perceptionMember(), jsonMember('../../people/1.json', [ada])),
      /does not belong/,
    ],
    ['with a link', link, /no plain file|damaged/],
    ['with two perceptions', () => tarOf(perceptionMember(), perceptionMember()), /two perceptions/],
    [
      'with JSON that is none',
      () => tarOf(perceptionMember(), { name: 'people/1.json', sizeBytes: 1, content: [Buffer.from('{')] }),
      /no JSON/,
    ],
    [
      'with people of one key id',
      () => tarOf(perceptionMember(), jsonMember('people/1.json', [ada, { ...ada, person: 2 }])),
      /one key id/,
    ],
    [
      'with a person twice',
      () => tarOf(perceptionMember(), jsonMember('people/1.json', [ada, { ...ada, keyId: null }])),
      /person 1 twice/,
    ],
    [
      'with a NUL in a name',
      () => tarOf(perceptionMember(), jsonMember('people/1.json', [{ ...ada, name: 'a\0' }])),
      /name must have/,
    ],
    ['with fewer people than it says', () => tarOf(perceptionMember(), end(1, 0)), /other people/],
    [
      'with a picture without a record',
      () => tarOf(perceptionMember(), { name: 'images/1.picture', sizeBytes: 1, content: [Buffer.of(1)] }),
      /does not follow/,
    ],
    [
      'with a picture that is too large',
      () =>
        tarOf(perceptionMember(), {
          name: 'images/1.picture',
          sizeBytes: 20_000,
          content: [Buffer.alloc(20_000)],
        }),
      /more than 10000 bytes/,
    ],
    [
      'with a long record',
      () => tarOf(perceptionMember(), jsonMember('people/1.json', 'x'.repeat(5_000_000))),
      /more than/,
    ],
    [
      'with something after its end',
      () => tarOf(perceptionMember(), end(0, 0), end(0, 0)),
      /follows its end/,
    ],
  ])('%s', async (_what, make, message) => {
    await expect(takeWhole(await make())).rejects.toMatchObject({
      code: 'bad_request',
      message: expect.stringMatching(message),
    });
    await expectNothingLeft();
  });

  test('with pictures that are none, or other ones than it says', async () => {
    await enrol(1, 1);
    const archive = await exported();
    const at = archive.indexOf(Buffer.from([0xff, 0xd8, 0xff]));
    const changed = Buffer.from(archive);
    changed[at + 5] = 77;
    await expect(takeWhole(changed)).rejects.toMatchObject({ message: /other bytes/ });
    await expectNothingLeft();
  });

  test('while a starting service removes what is not yet seen: that is told', async () => {
    await enrol(2, 2);
    const removing = take(cut(await exported(), 500), {
      pictures: {
        write: async (blobId, content) => {
          await there.deletion.finish();
          return there.pictures.write(blobId, content);
        },
        remove: there.pictures.remove,
      },
    });
    await expect(removing).rejects.toMatchObject({ code: 'conflict', message: /import it again/ });
    await expectNothingLeft();
  });
});
