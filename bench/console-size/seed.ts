import { randomUUID } from 'node:crypto';
import type { Compilable } from 'kysely';
import type { Database } from '#server/storage/database.js';

/** How much an account has. */
export interface Scale {
  readonly people: number;
  readonly imagesPerPerson: number;
  readonly datasetImages: number;
  readonly analyses: number;
  readonly dropFiles: number;
  readonly jobs: number;
}

export const fullScale: Scale = {
  people: 10_000,
  imagesPerPerson: 3,
  datasetImages: 5000,
  analyses: 100_000,
  dropFiles: 50_000,
  jobs: 1000,
};

/** Ids of the created records, for requesting their lists. */
export const seeded = {
  perceptionId: 1001,
  datasetId: 1001,
  classId: 1001,
  dropId: 1001,
  personId: 1001,
} as const;

const unitRows = 250;
const dayMs = 86_400_000;
const box = { xMin: 10, yMin: 20, xMax: 110, yMax: 140 };
const face = JSON.stringify({
  width: 640,
  height: 480,
  box,
  score: 0.99,
  points: [],
  quality: { sizePx: 110, sharpness: 100, yawDeg: 0, pitchDeg: 0, rollDeg: 0, brightness: 128, problems: [] },
});
const titles = ['dog', 'cat', 'bicycle', 'traffic light', 'malamute', 'espresso', 'Zebra', 'person'];
const operations = ['v1.predict_image', 'v1.predict_object_detection', 'v2.predict', 'drop.file'];

/**
 * Fills an account with the rows of months of use. No images and no vectors are created: no list reads them.
 */
export async function seedAccount(
  database: Pick<Database, 'query' | 'write'>,
  { accountId, keyId }: { readonly accountId: number; readonly keyId: number },
  scale: Scale,
): Promise<void> {
  const { query } = database;
  const now = Date.now();
  const inUnits = async (count: number, insert: (at: readonly number[]) => readonly Compilable[]) => {
    for (let from = 0; from < count; from += unitRows) {
      const length = Math.min(unitRows, count - from);
      await database.write(insert(Array.from({ length }, (_, index) => from + index)));
    }
  };
  const account_id = accountId;
  const pick = <T>(from: readonly T[], at: number) => from[at % from.length] as T;

  await database.write([
    query.insertInto('perception').values({
      account_id,
      id: seeded.perceptionId,
      uid: randomUUID(),
      name: 'staff',
      decision_similarity: 0.5,
      wants_liveness: 0,
      names_recognition: 0,
      refused_problems: '[]',
      calibration: null,
      embedder: 'bench@1',
      created_at: now,
      deleted_at: null,
    }),
    query.insertInto('dataset').values({
      account_id,
      id: seeded.datasetId,
      uid: randomUUID(),
      name: 'animals',
      multi_label: 0,
      task: 'object_detection',
      created_at: now,
      deleted_at: null,
    }),
    ...titles.map((name, at) =>
      query
        .insertInto('dataset_class')
        .values({ account_id, id: seeded.classId + at, dataset_id: seeded.datasetId, name }),
    ),
    query.insertInto('drop_box').values({
      account_id,
      id: seeded.dropId,
      uid: randomUUID(),
      name: 'desk',
      user_name: `desk-${accountId}`,
      key_id: keyId,
      settings: '{}',
      destination: null,
      sealed_secrets: null,
      created_at: now,
      deleted_at: null,
    }),
  ]);

  await inUnits(scale.people, (ats) => [
    query.insertInto('person').values(
      ats.map((at) => ({
        account_id,
        id: seeded.personId + at,
        perception_id: seeded.perceptionId,
        name: `Person ${at}`,
        key_id: `key-${at}`,
        search_text: `person ${at} key-${at}`,
        created_at: now,
      })),
    ),
    query.insertInto('face_image').values(
      ats.flatMap((at) =>
        Array.from({ length: scale.imagesPerPerson }, (_, nth) => ({
          account_id,
          id: 1001 + at * scale.imagesPerPerson + nth,
          perception_id: seeded.perceptionId,
          person_id: seeded.personId + at,
          key_id: null,
          blob_id: randomUUID(),
          face,
          image_kind: 'jpeg' as const,
          image_bytes: 90_000,
          image_sha256: `${at}-${nth}`,
          created_at: now,
        })),
      ),
    ),
  ]);

  await inUnits(scale.datasetImages, (ats) => [
    query.insertInto('dataset_image').values(
      ats.map((at) => ({
        account_id,
        id: 1001 + at,
        dataset_id: seeded.datasetId,
        blob_id: randomUUID(),
        file_name: `IMG_${at}.jpg`,
        search_text: `img_${at}.jpg`,
        image_kind: 'jpeg' as const,
        image_bytes: 90_000,
        image_sha256: `${at}`,
        fingerprint: '0'.repeat(32),
        width: 640,
        height: 480,
        labels_revision: 0,
        partly_labelled: 0 as const,
        labelled: at % 5 === 0 ? (0 as const) : (1 as const),
        split: at % 4 === 0 ? ('held-out' as const) : ('train' as const),
        created_at: now,
      })),
    ),
    query.insertInto('dataset_label').values(
      ats.flatMap((at) =>
        [0, 1, 2].map((position) => ({
          account_id,
          image_id: 1001 + at,
          position,
          class_id: seeded.classId + ((at + position) % titles.length),
          x_min: 1,
          y_min: 2,
          x_max: 100,
          y_max: 200,
        })),
      ),
    ),
  ]);

  const record = JSON.stringify({
    image: { kind: 'jpeg', width: 640, height: 480 },
    models: [],
    calibration: null,
    options: [],
    timingsMs: {},
    result: { objects: Array(20).fill({ label: { title: 'dog' }, score: 0.5, box }) },
  });
  await inUnits(scale.analyses, (ats) => [
    query.insertInto('analysis').values(
      ats.map((at) => {
        const summary = `${pick(titles, at)}\n${pick(titles, at + 3)}\tcoco-ssd\ninception-v3`;
        return {
          fileid: randomUUID().replaceAll('-', ''),
          account_id,
          key_id: keyId,
          operation: pick(operations, at),
          created_at: now - at * 20_000,
          expires_at: now + 30 * dayMs,
          record,
          summary,
          search_text: summary.toLowerCase(),
          image_bytes: null,
          image_kind: null,
        };
      }),
    ),
  ]);

  await inUnits(scale.dropFiles, (ats) => {
    const rows = ats.map((at) => {
      const state =
        at % 100 === 0 ? ('failed' as const) : at < 300 ? ('arrived' as const) : ('done' as const);
      const hasEnded = state !== 'arrived';
      const created_at = now - at * 30_000;
      return {
        id: randomUUID(),
        account_id,
        drop_id: seeded.dropId,
        state,
        created_at,
        area: state === 'arrived' ? ('incoming' as const) : state,
        parent: '',
        name: `IMG_${at}.JPG`,
        size_bytes: 5_000_000,
        fileid: null,
        labels: null,
        output: null,
        delivered_to: null,
        error: null,
        came_parent: hasEnded ? '' : null,
        came_name: hasEnded ? `IMG_${at}.JPG` : null,
        failing_since: null,
        modified_at: created_at,
        ended_at: hasEnded ? created_at + 2000 : null,
      };
    });
    const happened = ['arrived', 'predicted', 'written', 'done'];
    return [
      query.insertInto('drop_file').values(rows),
      query.insertInto('drop_event').values(
        rows.flatMap(({ id, created_at }) =>
          happened.map((what, nth) => ({
            account_id,
            file_id: id,
            at: created_at + nth * 500,
            what,
            detail: null,
          })),
        ),
      ),
    ];
  });

  await inUnits(scale.jobs, (ats) => [
    query.insertInto('job').values(
      ats.map((at) => ({
        id: randomUUID(),
        account_id,
        kind: pick(['train-model', 'dataset-import'], at),
        subject: `${at}`,
        payload: '{}',
        state: 'done' as const,
        due_at: now,
        created_at: now - at * 60_000,
        started_at: now,
        ended_at: now - at * 60_000,
        result: '{}',
      })),
    ),
  ]);
  const days = Array.from({ length: 365 }, (_, at) => new Date(now - at * dayMs).toISOString().slice(0, 10));
  await database.write(
    operations.map((operation) =>
      query
        .insertInto('usage')
        .values(days.map((day) => ({ account_id, key_id: keyId, operation, day, calls: 70 }))),
    ),
  );
}
