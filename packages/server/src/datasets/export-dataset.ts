import { Readable } from 'node:stream';
import { ZipFile } from 'yazl';
import { ServiceError } from '../core/service-error.js';
import type { BlobStore } from '../storage/blobs/blob-store.js';
import type { Classes } from './classes.js';
import type { Dataset, DatasetImage } from './dataset.js';
import { partlyLabelledFile } from './formats/partly-labelled.js';
import type { FormatName } from './formats/plan.js';
import type { FormatWriter, WrittenImage, WrittenText } from './formats/write-formats.js';
import type { Images } from './images.js';

/** A dataset as one zip, of images as they came and of what is said about them; nothing gathers in memory but texts. */
export type ExportDataset = (accountId: number, dataset: Dataset, format: FormatName) => Promise<Readable>;

export interface ExportDeps {
  readonly classes: Pick<Classes, 'list'>;
  readonly images: Pick<Images, 'walk'>;
  readonly blobs: Pick<BlobStore, 'read'>;
}

/** Throws `wrong_parameters` for a format that cannot say what the dataset holds. */
export function createExportDataset({ classes, images, blobs }: ExportDeps): ExportDataset {
  return async (accountId, dataset, format) => {
    const { writers } = await import('./formats/writers.js');
    const { tasks, takesSeveral, open } = writers[format];
    if (!tasks.includes(dataset.task) || (dataset.multiLabel && !takesSeveral)) {
      const others = Object.entries(writers).filter(
        ([, each]) => each.tasks.includes(dataset.task) && (!dataset.multiLabel || each.takesSeveral),
      );
      const names = others.map(([name]) => name).join(', ');
      throw new ServiceError(
        'wrong_parameters',
        `${format} cannot say what this dataset holds: take one of ${names}`,
      );
    }
    const known = await classes.list(accountId, dataset.id);
    const writer = open(known.map(({ name }) => name));
    const zip = new ZipFile();
    const output = Readable.from(zip.outputStream);
    zip.on('error', (error) => output.destroy(error));
    const indexes = new Map(known.map(({ id, name }, index) => [id, { classIndex: index, className: name }]));
    feed(zip, writer, images.walk(accountId, dataset.id), { indexes, blobs, output }).then(
      () => zip.end(),
      (error: unknown) => output.destroy(error instanceof Error ? error : new Error(String(error))),
    );
    return output;
  };
}

type Indexes = ReadonlyMap<number, { readonly classIndex: number; readonly className: string }>;

async function feed(
  zip: ZipFile,
  writer: FormatWriter,
  batches: AsyncIterable<readonly DatasetImage[]>,
  { indexes, blobs, output }: { indexes: Indexes; blobs: ExportDeps['blobs']; output: Readable },
): Promise<void> {
  const taken = new Set<string>();
  const partlyLabelled: string[] = [];
  let current: Readable | undefined;
  output.once('close', () => current?.destroy());
  for await (const batch of batches) {
    for (const image of batch) {
      if (output.destroyed) return;
      const written = toWritten(image, indexes, taken);
      if (image.isLabelled && image.isPartlyLabelled) partlyLabelled.push(writer.pathOf(written));
      const file = await blobs.read(image.blobId);
      // It was deleted meanwhile.
      if (file === null) continue;
      current = file.stream;
      // The reader left while it was opened.
      if (output.destroyed) return void current.destroy();
      // The zip hears no error of what it reads, and one that nobody hears ends the process.
      file.stream.once('error', (error) => output.destroy(error));
      const ended = new Promise<void>((resolve) => {
        file.stream.once('close', resolve);
      });
      // Images are compressed already.
      zip.addReadStream(file.stream, writer.pathOf(written), { compress: false });
      addText(zip, writer.describe?.(written) ?? null);
      // One open file at a time, and no faster than the reader.
      await ended;
    }
  }
  for (const text of writer.finish?.() ?? []) addText(zip, text);
  if (partlyLabelled.length > 0)
    addText(zip, { path: partlyLabelledFile, pieces: [partlyLabelled.join('\n')] });
}

function addText(zip: ZipFile, text: WrittenText | null): void {
  if (text === null) return;
  zip.addReadStreamLazy(text.path, (callback) =>
    callback(null, Readable.from(text.pieces, { objectMode: false })),
  );
}

function toWritten(image: DatasetImage, indexes: Indexes, taken: Set<string>): WrittenImage {
  const { split, width, height, isLabelled, labels } = image;
  const named = labels.flatMap((label) => {
    const found = indexes.get(label.classId);
    return found ? [{ ...label, ...found }] : [];
  });
  return { fileName: uniqueName(image, taken), split, width, height, labels: isLabelled ? named : null };
}

/** What an image may end in; with another ending it would be taken for a file of another kind. */
const imageExtension = /\.(jpe?g|jpe|jfif|png|webp|gif|tiff?|avif|hei[cf]|bmp)$/i;
/** Names of what formats say beside images, without their endings. */
const reservedStem = /^(classes|partly-labelled|readme|license|notice)(\.|$)/i;

/** Files of labels are called by the stem, so that is what must be unique; what is written about is always a file name. */
function uniqueName({ id, fileName, kind }: DatasetImage, taken: Set<string>): string {
  const extension = imageExtension.exec(fileName)?.[0] ?? `.${kind}`;
  const stem = fileName.replace(imageExtension, '').replace(/^\.+/, '_') || 'image';
  let own = reservedStem.test(stem) ? `_${stem}` : stem;
  while (taken.has(own.toLowerCase())) own += `-${id}`;
  taken.add(own.toLowerCase());
  return `${own}${extension}`;
}
