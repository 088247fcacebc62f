import { Readable } from 'node:stream';
import { ServiceError } from '../../core/service-error.js';
import { writeZip, type ZipMember } from '../../storage/archive/write-zip.js';
import type { BlobStore } from '../../storage/blobs/blob-store.js';
import type { Classes } from './classes.js';
import type { Dataset, DatasetImage } from './dataset.js';
import { partlyLabelledFile } from './formats/partly-labelled.js';
import type { FormatName } from './formats/plan.js';
import type { WrittenImage, WrittenText } from './formats/write-formats.js';
import type { Images } from './images.js';

/** A dataset as one zip, of images as they came and of what is said about them. Of each image its name is kept in memory, and no label. */
type ExportDataset = (accountId: number, dataset: Dataset, format: FormatName) => Promise<Readable>;

export interface ExportDeps {
  readonly classes: Pick<Classes, 'list'>;
  readonly images: Pick<Images, 'walk' | 'readSome'>;
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
    const indexes = new Map(known.map(({ id, name }, index) => [id, { classIndex: index, className: name }]));

    const members = async function* (): AsyncGenerator<ZipMember, void, undefined> {
      const taken = new Set<string>();
      const partlyLabelled: string[] = [];
      for await (const batch of images.walk(accountId, dataset.id)) {
        for (const image of batch) {
          const file = await blobs.read(image.blobId);
          // It was deleted meanwhile.
          if (file === null) continue;
          const written = toWritten(image, uniqueName(image, taken), indexes);
          const path = writer.pathOf(written);
          try {
            yield { path, content: file.stream, isCompressed: true };
          } finally {
            // Its client may have left before anything was read of it.
            file.stream.destroy();
          }
          if (image.isLabelled && image.isPartlyLabelled) partlyLabelled.push(path);
          const text = writer.describe?.(written) ?? null;
          if (text !== null) yield toMember(text);
        }
      }
      const readAgain = async function* (some: readonly WrittenImage[]) {
        const byId = new Map(some.map((image) => [image.id, image]));
        for await (const batch of images.readSome(accountId, dataset.id, [...byId.keys()])) {
          for (const image of batch) {
            const written = byId.get(image.id);
            if (written) yield { ...toWritten(image, written.fileName, indexes), split: written.split };
          }
        }
      };
      for (const text of writer.finish?.(readAgain) ?? []) yield toMember(text);
      if (partlyLabelled.length > 0)
        yield toMember({ path: partlyLabelledFile, pieces: [partlyLabelled.join('\n')] });
    };
    return Readable.from(writeZip(members()), { objectMode: false });
  };
}

type Indexes = ReadonlyMap<number, { readonly classIndex: number; readonly className: string }>;

function toWritten(image: DatasetImage, fileName: string, indexes: Indexes): WrittenImage {
  const { id, split, width, height, isLabelled, labels } = image;
  const named = labels.flatMap((label) => {
    const found = indexes.get(label.classId);
    return found ? [{ ...label, ...found }] : [];
  });
  // A class that was added since the export began has no number in it, and an image without its labels would show none.
  const isKnown = isLabelled && named.length === labels.length;
  return { id, fileName, split, width, height, labels: isKnown ? named : null };
}

function toMember({ path, pieces }: WrittenText): ZipMember {
  return { path, content: encode(pieces), isCompressed: false };
}

/** Characters that are compressed at once. */
const encodedAtOnce = 65_536;

async function* encode(pieces: WrittenText['pieces']): AsyncIterable<Buffer> {
  let text = '';
  for await (const piece of pieces) {
    text += piece;
    if (text.length < encodedAtOnce) continue;
    yield Buffer.from(text);
    text = '';
  }
  yield Buffer.from(text);
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
