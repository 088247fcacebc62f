import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { ServiceError } from '../../core/service-error.js';
import { jsonMember, type TarMember, writeTar } from '../../storage/archive/write-tar.js';
import { createFaceQuota, type FaceQuota } from '../face-quota.js';
import { dimensions, embedder, newFace } from '../fixtures/stored-faces.js';
import { vectorOf } from '../index/fixtures/vectors.js';
import { imageOf, openTwoInstallations, type TwoInstallations } from './fixtures/two-installations.js';

let installations: TwoInstallations;
const open = async () => {
  installations = await openTwoInstallations();
};
const close = () => installations.close();

const toText = (vector: ArrayLike<number>) =>
  Buffer.from(Float32Array.from(vector).buffer).toString('base64');

async function tarOf(...members: readonly TarMember[]): Promise<Buffer> {
  const all: Uint8Array[] = [];
  async function* each() {
    yield* members;
  }
  for await (const piece of writeTar(each())) all.push(piece);
  return Buffer.concat(all);
}

/** The images of these archives are none. */
const lookInVain = async (): Promise<never> => {
  throw new ServiceError('unsupported_image', 'the image is truncated or damaged');
};

describe('an archive of ours that is refused leaves nothing', () => {
  beforeEach(open);
  afterEach(close);

  test('cut anywhere', async () => {
    await installations.enrol(3, 2);
    const archive = await installations.exported();
    for (let at = 100; at < archive.byteLength - 1024; at += 1777) {
      await expect(installations.take(archive.subarray(0, at))).rejects.toMatchObject({
        code: 'bad_request',
      });
    }
    await installations.expectNothingLeft();
  });

  test('changed anywhere, or taken as it was where that changed nothing', async () => {
    const { there, otherAccount } = installations;
    await installations.enrol(1, 1);
    const archive = await installations.exported();
    await fc.assert(
      fc.asyncProperty(fc.nat(archive.byteLength - 1), fc.integer({ min: 1, max: 255 }), async (at, by) => {
        const changed = Buffer.from(archive);
        changed[at] = (changed[at] ?? 0) ^ by;
        const outcome = await installations.take(changed, { lookAtFaces: lookInVain }).then(
          ({ perception: { id } }) => there.deletion.removePerception(otherAccount, id),
          (error: { code?: unknown }) => error.code,
        );
        if (typeof outcome !== 'object') expect(outcome).toBe('bad_request');
      }),
      // One of them in the name of the embedder: its vectors then say nothing, and the images are re-embedded.
      { numRuns: 60, examples: [[archive.indexOf(embedder), 1]] },
    );
    await installations.expectNothingLeft();
  });

  test('with images that are none, or other ones than it says', async () => {
    await installations.enrol(1, 1);
    const archive = await installations.exported();
    const at = archive.indexOf(Buffer.from([0xff, 0xd8, 0xff]));
    const changed = Buffer.from(archive);
    changed[at + 5] = 77;
    await expect(installations.take(changed)).rejects.toMatchObject({ message: /other bytes/ });
    await installations.expectNothingLeft();
  });

  test('with images that cannot be read when they are re-embedded', async () => {
    await installations.enrol(2, 2);
    const taken = installations.take(await installations.exported(), {
      embedder: 'newer@2',
      isInstalled: () => false,
      lookAtFaces: lookInVain,
    });
    await expect(taken).rejects.toMatchObject({
      code: 'bad_request',
      message: expect.stringMatching(/an image in it cannot be read/),
    });
    await installations.expectNothingLeft();
  });
});

describe('an archive of others that is refused leaves nothing', () => {
  // One pair for all: nothing is left by one that the next could stumble over.
  beforeAll(open);
  afterAll(close);

  const perceptionMember = (changes: object = {}) =>
    jsonMember('perception.json', {
      format: 'lynceus-perception',
      formatVersion: 3,
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
      () => tarOf(perceptionMember({ formatVersion: 4 }), end(0, 0)),
      /perception.json is not/,
    ],
    ['with a name that is none', () => tarOf(perceptionMember({ name: ' ' }), end(0, 0)), /name must have/],
    ['that begins with people', () => tarOf(jsonMember('people/1.json', [ada])), /begin with perception/],
    [
      'with a path',
      () => tarOf(perceptionMember(), jsonMember('../../people/1.json', [ada])),
      /does not belong/,
    ],
    ['with a link', link, /no ordinary file/],
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
    [
      'with a person made at no time',
      () => tarOf(perceptionMember(), jsonMember('people/1.json', [{ ...ada, createdAt: 1e15 }])),
      /people\/1.json is not/,
    ],
    ['with fewer people than it says', () => tarOf(perceptionMember(), end(1, 0)), /other people/],
    [
      'with an image without a record',
      () => tarOf(perceptionMember(), { name: 'images/1.image', sizeBytes: 1, content: [Buffer.of(1)] }),
      /does not follow/,
    ],
    [
      'with an image that is too large',
      () =>
        tarOf(perceptionMember(), {
          name: 'images/1.image',
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
    await expect(installations.take(await make())).rejects.toMatchObject({
      code: 'bad_request',
      message: expect.stringMatching(message),
    });
    await installations.expectNothingLeft();
  });

  test.each<[string, object, RegExp]>([
    ['with a vector of other dimensions', { vector: toText([1, 0]) }, /32 numbers/],
    ['with a NUL in the key id of an image', { keyId: 'a\0' }, /key id must have/],
    ['with an image made at no time', { createdAt: 1e15 }, /images\/1.json is not/],
  ])('%s', async (_what, changes, message) => {
    const content = imageOf(1);
    const image = {
      person: 1,
      keyId: null,
      createdAt: 1,
      face: newFace,
      ...changes,
      sha256: createHash('sha256').update(content).digest('hex'),
    };
    const archive = await tarOf(
      perceptionMember({ images: 1 }),
      jsonMember('people/1.json', [ada]),
      jsonMember('images/1.json', { vector: toText(vectorOf(1, dimensions)), ...image }),
      { name: 'images/1.image', sizeBytes: content.byteLength, content: [content] },
      end(1, 1),
    );
    await expect(installations.take(archive)).rejects.toMatchObject({
      code: 'bad_request',
      message: expect.stringMatching(message),
    });
    await installations.expectNothingLeft();
  });

  const members = (kind: 'people' | 'corrections', records: readonly unknown[]) =>
    Array.from({ length: Math.ceil(records.length / 500) }, (_, at) =>
      jsonMember(`${kind}/${at + 1}.json`, records.slice(500 * at, 500 * (at + 1))),
    );
  const crowd = (size: number) =>
    Array.from({ length: size }, (_, at) => ({ person: at, name: `P ${at}`, keyId: null, createdAt: 1 }));
  const corrections = Array.from({ length: 150 }, (_, at) => ({
    person: at % 3,
    vector: toText(vectorOf(at, dimensions)),
  }));

  test.each([
    ['persons', () => tarOf(perceptionMember(), ...members('people', crowd(2000)), end(2000, 0)), 200],
    [
      'corrections',
      () =>
        tarOf(
          ...[perceptionMember(), ...members('people', crowd(3))],
          ...[...members('corrections', corrections), end(3, 0)],
        ),
      100,
    ],
  ])('with more %s than an account may have, before it is read to its end', async (kind, make, maxFaces) => {
    const { database } = installations.there;
    const limits = { accountMaxFaces: maxFaces, accountMaxFaceBytes: 0 };
    const inner = createFaceQuota({ database, disk: { require: async () => undefined }, limits });
    let most = 0;
    const quota: FaceQuota = {
      async require(accountId, more) {
        const row = await database.query.selectFrom('face_total').selectAll().executeTakeFirst();
        most = Math.max(most, row?.people ?? 0, row?.corrections ?? 0);
        await inner.require(accountId, more);
      },
    };
    await expect(installations.take(await make(), { quota })).rejects.toMatchObject({
      code: 'account_full',
      message: expect.stringContaining(`${maxFaces} ${kind} at most`),
    });
    expect(most).toBe(maxFaces);
    await installations.expectNothingLeft();
  });

  test.each(['people', 'corrections'] as const)('with %s for which the disk has no room', async (kind) => {
    const limits = { accountMaxFaces: 0, accountMaxFaceBytes: 0 };
    const disk = {
      async require() {
        const row = await installations.there.database.query
          .selectFrom('face_total')
          .selectAll()
          .executeTakeFirst();
        if ((row?.[kind] ?? 0) > 1) throw new ServiceError('no_space', 'the disk is full');
      },
    };
    const quota = createFaceQuota({ ...installations.there, disk, limits });
    const archive = await tarOf(
      ...[perceptionMember(), ...members('people', crowd(kind === 'people' ? 600 : 1))],
      ...[
        ...members(
          'corrections',
          corrections.slice(0, 3).map((each) => ({ ...each, person: 0 })),
        ),
        end(1, 0),
      ],
    );
    await expect(installations.take(archive, { quota })).rejects.toMatchObject({ code: 'no_space' });
    await installations.expectNothingLeft();
  });

  test('with a correction of other dimensions', async () => {
    const archive = await tarOf(
      perceptionMember(),
      jsonMember('people/1.json', [ada]),
      jsonMember('corrections/1.json', [{ person: 1, vector: toText([1, 0]) }]),
      end(1, 0),
    );
    await expect(installations.take(archive)).rejects.toMatchObject({
      message: expect.stringMatching(/32 numbers/),
    });
    await installations.expectNothingLeft();
  });
});
