import { type Kysely, sql } from 'kysely';
import type { ColumnTypes } from './column-types.js';

/**
 * Names that were stored: an image was a picture, re-embedding was describing. Tables, columns, the words of audit entries, jobs and
 * reports; contents stay. Constraints and indexes keep their names, which nobody reads.
 */
export async function renameToTerms(db: Kysely<unknown>, types: ColumnTypes): Promise<void> {
  await db.schema.alterTable('dataset_picture').renameTo('dataset_image').execute();
  await db.schema.alterTable('face_undescribed').renameTo('face_not_embedded').execute();
  for (const [table, from, to] of columns) await db.schema.alterTable(table).renameColumn(from, to).execute();
  // SQLite rewrites its triggers with the column; the bodies of PostgreSQL's functions are text.
  if (types.bytes === 'bytea') for (const text of postgresFunctions) await sql.raw(text).execute(db);
  for (const text of contents()) await sql.raw(text).execute(db);
}

const columns = [
  ...['dataset_image', 'face_image'].flatMap((table) =>
    (['kind', 'bytes', 'sha256'] as const).map(
      (what) => [table, `picture_${what}`, `image_${what}`] as const,
    ),
  ),
  ['analysis', 'picture_kind', 'image_kind'],
  ['analysis', 'picture_bytes', 'image_bytes'],
  ['dataset_label', 'picture_id', 'image_id'],
] as const;

const postgresFunctions = [
  ['face_total_image_added', addTotal('1', 'new.image_bytes')],
  [
    'face_total_image_removed',
    changeTotal('images = face_total.images + -1, image_bytes = face_total.image_bytes + -old.image_bytes'),
  ],
  [
    'face_total_image_changed',
    changeTotal('image_bytes = face_total.image_bytes + new.image_bytes - old.image_bytes'),
  ],
].map(
  ([name, body]) => `
    create or replace function ${name}() returns trigger language plpgsql as $$
    begin
      ${body};
      return null;
    end $$`,
);

function addTotal(images: string, bytes: string): string {
  return `insert into face_total (account_id, images, image_bytes) values (new.account_id, ${images}, ${bytes})
    on conflict (account_id) do update
    set images = face_total.images + ${images}, image_bytes = face_total.image_bytes + ${bytes}`;
}

function changeTotal(sums: string): string {
  return `update face_total set ${sums} where account_id = old.account_id`;
}

/** In JSON a key differs from text by its colon: within a string its quotation mark would be escaped. */
const jsonNames: readonly (readonly [
  table: string,
  column: string,
  names: readonly (readonly [string, string])[],
])[] = [
  [
    'model_version',
    'report',
    [
      ['"picture":', '"image":'],
      ['"pictures":', '"images":'],
      ['"byPictures":', '"byImages":'],
      ['"code":"few-pictures"', '"code":"few-images"'],
      ['"code":"more-pictures-help"', '"code":"more-images-help"'],
      ['"code":"pictures-refused"', '"code":"images-refused"'],
    ],
  ],
  [
    'job',
    'result',
    [
      ['"pictures":', '"images":'],
      ['"picture_id":', '"image_id":'],
      ['"problem":"not-a-picture"', '"problem":"not-an-image"'],
      ['"problem":"few-pictures"', '"problem":"few-images"'],
    ],
  ],
  ['analysis', 'record', [['"picture":', '"image":']]],
  ['drop_file', 'output', [['"part":"picture"', '"part":"image"']]],
  ['perception', 'refused_problems', [['"same-picture"', '"same-image"']]],
];

function* contents(): Iterable<string> {
  for (const [table, column, names] of jsonNames) {
    const replaced = names.reduce((text, [from, to]) => `replace(${text}, '${from}', '${to}')`, column);
    yield `update ${table} set ${column} = ${replaced} where ${column} is not null and ${column} <> ${replaced}`;
  }
  yield "update account_counter set kind = 'dataset_image' where kind = 'dataset_picture'";
  yield "update face_not_embedded set reason = replace(reason, 'picture-', 'image-') where reason like 'picture-%'";
  yield "update job set kind = 're-embed-perception' where kind = 'describe-perception'";
  yield "update job set stage = 'embedding' where stage = 'describing'";
  yield `update audit_entry set action = 'images.re_embed' where action = 'images.describe'`;
  yield rename('images', 'face_images', 'image', 'face_image');
  yield rename('pictures', 'dataset_images', 'picture', 'dataset_image');
}

/** Of what is done with a kind of thing, in the audit log. */
function rename(actions: string, newActions: string, kind: string, newKind: string): string {
  return `update audit_entry set action = replace(action, '${actions}.', '${newActions}.'),
      subject_kind = case when subject_kind = '${kind}' then '${newKind}' else subject_kind end
    where action like '${actions}.%' or subject_kind = '${kind}'`;
}
