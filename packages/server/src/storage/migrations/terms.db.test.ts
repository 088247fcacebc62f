import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Kysely, sql } from 'kysely';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { dataFolder } from '../data-folder.js';
import { runStep } from '../fixtures/run-step.js';
import { createTestDatabase, type TestDatabase } from '../fixtures/test-database.js';
import { renameToTerms } from './0028-terms.js';
import { shippedSteps } from './migrations.js';

let dir: string;
let testDatabase: TestDatabase;
beforeEach(async () => {
  dir = mkdtempSync(join(tmpdir(), 'lynceus-terms-'));
  testDatabase = await createTestDatabase(dir);
  // It comes with all steps done.
  if (testDatabase.databaseUrl === '') rmSync(dataFolder(dir).databasePath);
  else await write('drop schema public cascade', 'create schema public');
  await run(async (db, types) => {
    for (const [name, step] of Object.entries(shippedSteps)) if (name < '0028') await step(db, types);
  });
  await write(...older);
  await run(renameToTerms);
});
afterEach(async () => {
  await testDatabase.drop();
  rmSync(dir, { recursive: true });
});

const run = (step: Parameters<typeof runStep>[0]) => runStep(step, dir, testDatabase);

async function write(...statements: readonly string[]): Promise<void> {
  await run(async (db) => {
    for (const statement of statements) await sql.raw(statement).execute(db);
  });
}

async function read(statement: string): Promise<readonly unknown[]> {
  let rows: readonly unknown[] = [];
  const select = async (db: Kysely<unknown>) => {
    rows = (await sql.raw<Record<string, unknown>>(statement).execute(db)).rows;
  };
  await run(select);
  return rows.map((row) => Object.values(row as object));
}

const report = JSON.stringify({
  datasetId: 1,
  pictures: { train: 3 },
  byPictures: [{ pictures: 3, ap50: 1 }],
  mistakes: [{ picture: '1001' }],
  warnings: [{ code: 'few-pictures', message: 'the label "picture": has 3 "pictures"' }],
});

const older = [
  "insert into account (id, name, plan, result_days, created_at) values (1, 'a', 'paid', 30, 1)",
  "insert into account_counter (account_id, kind, last) values (1, 'dataset_picture', 1001)",
  `insert into dataset (account_id, id, uid, name, task, multi_label, created_at)
    values (1, 1, 'd', 'd', 'classification', 0, 1)`,
  "insert into dataset_class (account_id, id, dataset_id, name) values (1, 1, 1, 'c')",
  `insert into dataset_picture (account_id, id, dataset_id, file_name, search_text, blob_id, picture_kind, picture_bytes,
    picture_sha256, fingerprint, width, height, labelled, created_at)
    values (1, 1001, 1, 'f', 'f', 'b', 'jpeg', 7, 'sha', 'fp', 8, 9, 1, 1)`,
  'insert into dataset_label (account_id, picture_id, position, class_id) values (1, 1001, 0, 1)',
  `insert into perception (account_id, id, uid, name, decision_similarity, wants_liveness, names_recognition,
    refused_problems, embedder, created_at) values (1, 1, 'p', 'p', 0.5, 0, 0, '["blurred","same-picture"]', 'm@1', 1)`,
  `insert into person (account_id, id, perception_id, name, search_text, created_at) values (1, 1, 1, 'Ada', 'ada', 1)`,
  `insert into face_image (account_id, id, perception_id, person_id, blob_id, picture_kind, picture_bytes, picture_sha256,
    face, created_at) values (1, 1, 1, 1, 'b', 'png', 5, 'sha', '{}', 1)`,
  "insert into face_undescribed (account_id, image_id, embedder, reason) values (1, 1, 'm@1', 'picture-damaged')",
  `insert into model (account_id, id, uid, name, description, task, created_at)
    values (1, 1, 'm', 'm', '', 'classification', 1)`,
  `insert into model_version (account_id, model_id, number, uid, origin, bytes, labels, report, created_at)
    values (1, 1, 1, 'v', 'training', 1, '[]', '${report}', 1)`,
  ...[
    ['j1', 'describe-perception', "'describing'", 'null'],
    [
      'j2',
      'dataset-import',
      'null',
      `'{"pictures":2,"findings":[{"problem":"not-a-picture","picture_id":3}]}'`,
    ],
  ].map(
    ([id, kind, stage, result]) =>
      `insert into job (id, account_id, kind, subject, payload, state, due_at, stage, result, created_at)
        values ('${id}', 1, '${kind}', '1', '{}', 'done', 1, ${stage}, ${result}, 1)`,
  ),
  "insert into api_key (id, account_id, hash, prefix, name, created_at) values (1, 1, 'h', 'p', 'n', 1)",
  `insert into analysis (fileid, account_id, key_id, operation, created_at, expires_at, record, picture_bytes, picture_kind)
    values ('f', 1, 1, 'o', 1, 9, '{"picture":{"kind":"jpeg","width":8},"texts":["\\"picture\\":"]}', 3, 'jpeg')`,
  ...[
    ['images.describe', 'image'],
    ['images.create', 'image'],
    ['pictures.label', 'picture'],
    ['keys.create', 'key'],
  ].map(
    ([action, kind]) => `insert into audit_entry (account_id, at, who_kind, who_name, action, subject_kind)
      values (1, 1, 'operator', 'o', '${action}', '${kind}')`,
  ),
];

test('what was stored under the names of before is there under those of now', async () => {
  expect(await read('select image_kind, image_sha256 from dataset_image')).toEqual([['jpeg', 'sha']]);
  expect(await read('select image_kind, record from analysis')).toEqual([
    ['jpeg', '{"image":{"kind":"jpeg","width":8},"texts":["\\"picture\\":"]}'],
  ]);
  expect(await read('select class_id from dataset_label where image_id = 1001')).toHaveLength(1);
  expect(await read('select image_kind from face_image')).toEqual([['png']]);
  expect(await read('select reason from face_not_embedded')).toEqual([['image-damaged']]);
  expect(await read("select kind from account_counter where kind like 'dataset_%'")).toEqual([
    ['dataset_image'],
  ]);
  expect(await read('select refused_problems from perception')).toEqual([['["blurred","same-image"]']]);
  expect(await read('select kind, stage from job order by id')).toEqual([
    ['re-embed-perception', 'embedding'],
    ['dataset-import', null],
  ]);
  expect(await read("select result from job where id = 'j2'")).toEqual([
    ['{"images":2,"findings":[{"problem":"not-an-image","image_id":3}]}'],
  ]);
  expect(await read('select action, subject_kind from audit_entry order by id')).toEqual([
    ['face_images.re_embed', 'face_image'],
    ['face_images.create', 'face_image'],
    ['dataset_images.label', 'dataset_image'],
    ['keys.create', 'key'],
  ]);
  const [[stored] = []] = (await read('select report from model_version')) as string[][];
  expect(JSON.parse(stored ?? '')).toEqual({
    datasetId: 1,
    images: { train: 3 },
    byImages: [{ images: 3, ap50: 1 }],
    mistakes: [{ image: '1001' }],
    warnings: [{ code: 'few-images', message: 'the label "picture": has 3 "pictures"' }],
  });
});

test('totals of faces are counted on by the triggers of before', async () => {
  const totals = () => read('select people, images, image_bytes from face_total');
  const face = `insert into face_image (account_id, id, perception_id, person_id, blob_id, image_kind, image_bytes,
    image_sha256, face, created_at) values (1, 2, 1, 1, 'c', 'png', 30, 's', '{}', 1)`;
  await write(face);
  expect((await totals()).flat().map(Number)).toEqual([1, 2, 35]);
  await write('update face_image set image_bytes = 40 where id = 2');
  expect((await totals()).flat().map(Number)).toEqual([1, 2, 45]);
  await write('delete from face_image where id = 2');
  expect((await totals()).flat().map(Number)).toEqual([1, 1, 5]);
});
