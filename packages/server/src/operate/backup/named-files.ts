import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { Type } from 'typebox';
import { Value } from 'typebox/value';
import { type FilePart, partId, shownPart } from '../../drops/files/file-parts.js';
import { outputOf } from '../../drops/pipeline/output.js';
import { type FileColumn, fileColumns } from '../../storage/file-columns.js';
import type { DropFileState } from '../../storage/tables/drops.js';

export type Row = Readonly<Record<string, unknown>>;

/** One state of the database. */
export interface NamedRows {
  /** The rows of a query, by its text column `id`, in ascending order of its bytes. */
  inOrder(select: string): AsyncIterable<readonly Row[]>;
}

/** A file of the data folder that the database names. */
export interface NamedFile {
  /** Below the data folder. */
  readonly path: string;
  /** Whether it must be there. */
  readonly isRequired: boolean;
  /** Bytes that it has at least; 0 where its row does not say. */
  readonly leastBytes: number;
  /** Whether it can change, as what is still being received; all others are never changed once they have their name. */
  readonly isChanging: boolean;
}

/** All files that the rows name, in ascending order of their paths. A new kind of file gets its place here. */
export async function* namedFiles(rows: NamedRows, filesDir: string): AsyncIterable<NamedFile> {
  const idsOf = async function* ({ table, column, condition }: FileColumn): AsyncIterable<string> {
    const select = `select ${column} as id from ${table} where ${condition}`;
    for await (const some of rows.inOrder(select)) for (const { id } of some) yield String(id);
  };
  const blobs = async function* (dir: string, named: FileColumn): AsyncIterable<NamedFile> {
    for await (const id of idsOf(named)) yield immutable(blobPath(dir, id));
  };
  yield* blobs('blobs/datasets', fileColumns.datasets);
  yield* blobs('blobs/faces', fileColumns.faces);
  yield* imports(rows);
  yield* blobs('blobs/media', fileColumns.media);
  yield* blobs('blobs/pictures', fileColumns.images);
  for await (const uid of idsOf(fileColumns.models)) yield* modelFiles(filesDir, uid);
  for await (const some of rows.inOrder('select id, state, output, size_bytes from drop_file')) {
    for (const row of some) yield* dropFiles(row);
  }
}

function blobPath(store: string, id: string): string {
  return `${store}/${id.slice(0, 2)}/${id}`;
}

function immutable(path: string): NamedFile {
  return { path, isRequired: true, leastBytes: 0, isChanging: false };
}

const ImportPayload = Type.Object({ blobId: Type.String() });

/** Few: a job at a time is at work. */
async function* imports(rows: NamedRows): AsyncIterable<NamedFile> {
  const ids: string[] = [];
  const select = "select id, payload from job where kind = 'dataset-import' and ended_at is null";
  for await (const some of rows.inOrder(select)) {
    for (const { payload } of some) {
      const content: unknown = JSON.parse(String(payload));
      if (Value.Check(ImportPayload, content)) ids.push(content.blobId);
    }
  }
  for (const id of ids.sort()) yield immutable(blobPath('blobs/imports', id));
}

/** What is in the folder of a version; `model.onnx` and `manifest.json` must be. */
async function* modelFiles(filesDir: string, uid: string): AsyncIterable<NamedFile> {
  const folder = `custom-models/${uid}`;
  const found = await filesBelow(join(filesDir, folder));
  for (const name of [...new Set([...found, 'manifest.json', 'model.onnx'])].sort()) {
    yield immutable(`${folder}/${name}`);
  }
}

async function filesBelow(dir: string): Promise<readonly string[]> {
  const names: string[] = [];
  for (const entry of await readdir(dir, { withFileTypes: true }).catch(() => [])) {
    if (entry.isFile()) names.push(entry.name);
    if (!entry.isDirectory()) continue;
    const inner = await filesBelow(join(dir, entry.name));
    names.push(...inner.map((name) => `${entry.name}/${name}`));
  }
  return names;
}

/** In ascending order. */
const made: readonly FilePart[] = ['image', 'sidecar', 'preview'];
const changingStates: readonly unknown[] = ['receiving', 'partial', 'held', 'arrived'];

/** As `sweep-files.ts` keeps them: what is done has the one part that is shown, anything else may have all. */
function* dropFiles(row: Row): Iterable<NamedFile> {
  const id = String(row['id']);
  const state = String(row['state']) as DropFileState;
  const output = row['output'] === null ? null : String(row['output']);
  const part = (each: FilePart, isRequired: boolean): NamedFile => {
    const isOriginal = each === 'original';
    return {
      path: blobPath('drops', partId(id, each)),
      isRequired,
      // What is being received is measured at the next start.
      leastBytes: isOriginal && state !== 'receiving' ? Number(row['size_bytes']) : 0,
      isChanging: isOriginal && changingStates.includes(state),
    };
  };
  if (state === 'done') {
    yield part(shownPart({ state, output }), true);
    return;
  }
  const delivered = outputOf({ output })?.files.map((file) => file.part) ?? [];
  yield part('original', state !== 'receiving');
  for (const each of made)
    yield part(
      each,
      delivered.some((name) => name === each),
    );
}
