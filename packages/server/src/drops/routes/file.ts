import { type Static, Type } from 'typebox';
import { toSnake } from '../../core/snake-names.js';
import { toAnswer } from '../../http/api/answer.js';
import { Time, TimeOrNull, toTime } from '../../http/api/fields.js';
import type { DropFile as DomainFile, FileEvent } from '../files/file-records.js';
import type { FileRow } from '../files/file-rows.js';
import { labelsOf } from '../pipeline/labels.js';
import { outputOf } from '../pipeline/output.js';

export const fileStates = [
  ...(['receiving', 'partial', 'held', 'arrived', 'predicted', 'written', 'done', 'failed'] as const),
];
const TextOrNull = Type.Union([Type.String(), Type.Null()]);

export const DropFile = Type.Object(
  {
    id: Type.String(),
    name: Type.String({ description: 'as it came', examples: ['IMG_1.jpg'] }),
    folder: Type.String({ description: 'within incoming/, as it came', examples: ['DCIM/100CANON'] }),
    path: Type.String({
      description: 'where it is by FTP now',
      examples: ['done/2026-01-31/IMG_1.jpg'],
    }),
    state: Type.Enum(fileStates, { title: 'DropFileState' }),
    file_bytes: Type.Integer(),
    fileid: Type.Union([Type.String(), Type.Null()], {
      description: 'of its analysis, which `/api/files/{fileid}` returns while it is kept',
    }),
    delivered_to: TextOrNull,
    error: Type.Union([Type.String(), Type.Null()], {
      description:
        'why it failed, or failed last while it is tried again; of a file that is done, why it has no keywords',
    }),
    summary: Type.Object({
      keywords: Type.Array(Type.String(), { description: 'the first that the service wrote, 6 at most' }),
    }),
    created_at: Time,
    ended_at: TimeOrNull,
  },
  { title: 'DropFile', description: 'The file as it is now' },
);

const Box = Type.Object({
  x_min: Type.Number(),
  y_min: Type.Number(),
  x_max: Type.Number(),
  y_max: Type.Number(),
});
const titled = { title: Type.String(), score: Type.Number() };
const LabelsShown = Type.Object(
  {
    objects: Type.Array(Type.Object({ ...titled, box: Box })),
    classes: Type.Array(Type.Object(titled)),
    texts: Type.Array(Type.Object({ text: Type.String(), score: Type.Number() })),
    faces: Type.Array(
      Type.Object({
        score: Type.Number(),
        box: Box,
        person: Type.Union([Type.Object({ name: Type.String(), similarity: Type.Number() }), Type.Null()]),
      }),
    ),
  },
  { title: 'DropLabels' },
);
const Keywords = Type.Object({
  field: Type.Union([Type.Enum(['iptc+xmp', 'xmp', 'sidecar']), Type.Null()], {
    description: 'where they were written; null: nowhere',
  }),
  all: Type.Array(Type.String(), { description: 'in the file now' }),
  added: Type.Array(Type.String(), { description: 'of them, by us' }),
});

export const DropFileDetails = Type.Object(
  {
    ...DropFile.properties,
    labels: Type.Union([LabelsShown, Type.Null()], {
      description: 'what was found; boxes in pixels of the image as it is meant to be seen; null before',
    }),
    keywords: Type.Union([Keywords, Type.Null()], { description: 'null before they were written' }),
    history: Type.Array(Type.Object({ at: Time, what: Type.String(), detail: TextOrNull }), {
      description: 'what happened to it, the oldest first',
    }),
  },
  { title: 'DropFileDetails', description: 'The file, with what was found in it and what happened to it' },
);

export function toDropFile(file: DomainFile): Static<typeof DropFile> {
  const { sizeBytes, firstKeywords } = file;
  return toAnswer(DropFile, file, { file_bytes: sizeBytes, summary: { keywords: [...firstKeywords] } });
}

export function toDetails(
  file: DomainFile,
  row: Pick<FileRow, 'labels' | 'output'>,
  history: readonly FileEvent[],
): Static<typeof DropFileDetails> {
  const output = outputOf(row);
  return {
    ...toDropFile(file),
    labels: row.labels === null ? null : toLabels(row),
    keywords: output && { field: output.field, all: output.keywords, added: output.added },
    history: history.map(({ at, what, detail }) => ({ at: toTime(at), what, detail })),
  };
}

function toLabels(row: Pick<FileRow, 'labels'>): Static<typeof LabelsShown> {
  const { objects, classes, texts, faces } = labelsOf(row);
  return {
    objects: objects.map(({ box, ...each }) => ({ ...each, box: toSnake(box) })),
    classes,
    texts,
    faces: faces.map(({ box, ...each }) => ({ ...each, box: toSnake(box) })),
  };
}
