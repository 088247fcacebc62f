import { stringify } from 'csv-stringify/sync';
import { XMLBuilder } from 'fast-xml-parser';
import { stringify as toYaml } from 'yaml';
import { ownCsvColumns } from './csv-columns.js';
import { noneFolder, toFolder, unlabelledFolder } from './folders.js';
import { stemOf } from './plan.js';
import { type FormatWriter, splitFolder, type WriterTable, type WrittenImage } from './write-formats.js';

/** Every format by its name, as `read-tree.ts` reads it again. */
export const writers: WriterTable = {
  folders: { tasks: ['classification'], takesSeveral: false, open: openFolders },
  csv: { tasks: ['classification', 'object_detection'], takesSeveral: true, open: openCsv },
  coco: { tasks: ['classification', 'object_detection'], takesSeveral: true, open: openCoco },
  voc: { tasks: ['object_detection'], takesSeveral: true, open: openVoc },
  yolo: { tasks: ['object_detection'], takesSeveral: true, open: openYolo },
};

function openFolders(): FormatWriter {
  return {
    pathOf({ fileName, split, labels }) {
      const [first] = labels ?? [];
      const folder = labels === null ? unlabelledFolder : first ? toFolder(first.className) : noneFolder;
      return `${splitFolder(split)}/${folder}/${fileName}`;
    },
  };
}

/** Where nothing is written about an image, its folder says the split. */
function images({ fileName, split, labels }: WrittenImage): string {
  return `images/${labels === null && split !== null ? `${splitFolder(split)}/` : ''}${fileName}`;
}

function openCsv(): FormatWriter {
  const labelled: WrittenImage[] = [];
  return {
    pathOf: images,
    describe(image) {
      if (image.labels !== null) labelled.push({ ...image, labels: [] });
      return null;
    },
    finish: (readAgain) => [{ path: 'labels.csv', pieces: csvLines(readAgain(labelled)) }],
  };
}

async function* csvLines(labelled: AsyncIterable<WrittenImage>): AsyncIterable<string> {
  yield stringify([ownCsvColumns]);
  for await (const image of labelled) {
    const { labels, split } = image;
    const rows = labels?.map(({ className, box }) => [
      className,
      ...(box ? [box.xMin, box.yMin, box.xMax, box.yMax] : ['', '', '', '']),
    ]);
    const own = rows?.length === 0 ? [['', '', '', '', '']] : (rows ?? []);
    yield stringify(own.map((row) => [images(image), split ?? '', ...row]));
  }
}

function openCoco(classNames: readonly string[]): FormatWriter {
  const labelled = new Map<string, WrittenImage[]>();
  const ids = { image: 0, annotation: 0 };
  const categories = JSON.stringify(classNames.map((name, index) => ({ id: index + 1, name })));
  return {
    pathOf: images,
    describe(image) {
      if (image.labels === null) return null;
      const folder = splitFolder(image.split);
      const own = labelled.get(folder) ?? [];
      labelled.set(folder, own);
      own.push({ ...image, labels: [] });
      return null;
    },
    finish: (readAgain) =>
      (labelled.size === 0 ? [[splitFolder(null), []] as const] : [...labelled]).map(([folder, own]) => ({
        path: `annotations/instances_${folder}.json`,
        pieces: cocoPieces(categories, readAgain(own), ids),
      })),
  };
}

/** Images follow the annotations: only then is it known which of them are labelled yet. */
async function* cocoPieces(
  categories: string,
  labelled: AsyncIterable<WrittenImage>,
  ids: { image: number; annotation: number },
): AsyncIterable<string> {
  const written: string[] = [];
  yield `{"categories": ${categories},\n"annotations": [`;
  let separator = '\n';
  for await (const { fileName, labels, width, height } of labelled) {
    if (labels === null) continue;
    ids.image += 1;
    written.push(JSON.stringify({ id: ids.image, file_name: fileName, width, height }));
    for (const { classIndex, box } of labels) {
      ids.annotation += 1;
      const about = { id: ids.annotation, image_id: ids.image, category_id: classIndex + 1, iscrowd: 0 };
      const [boxWidth, boxHeight] = box ? [box.xMax - box.xMin, box.yMax - box.yMin] : [0, 0];
      const area = { bbox: box && [box.xMin, box.yMin, boxWidth, boxHeight], area: boxWidth * boxHeight };
      yield `${separator}${JSON.stringify(box ? { ...about, ...area } : about)}`;
      separator = ',\n';
    }
  }
  yield '],\n"images": [';
  for (const [index, image] of written.entries()) yield `${index === 0 ? '' : ','}\n${image}`;
  yield ']}\n';
}

function openVoc(): FormatWriter {
  const builder = new XMLBuilder({ format: true });
  const sets = new Map<string, string[]>();
  return {
    pathOf: ({ fileName }) => `JPEGImages/${fileName}`,
    describe({ fileName, split, labels, width, height }) {
      const stem = stemOf(fileName);
      if (split !== null) {
        const set = sets.get(splitFolder(split)) ?? [];
        sets.set(splitFolder(split), set);
        set.push(`${stem}\n`);
      }
      if (labels === null) return null;
      const object = labels.map(({ className, box }) => ({
        name: className,
        pose: 'Unspecified',
        truncated: 0,
        difficult: 0,
        bndbox: box && { xmin: box.xMin, ymin: box.yMin, xmax: box.xMax, ymax: box.yMax },
      }));
      const annotation = {
        folder: 'JPEGImages',
        filename: fileName,
        size: { width, height, depth: 3 },
        object,
      };
      return { path: `Annotations/${stem}.xml`, pieces: [builder.build({ annotation })] };
    },
    finish: () =>
      [...sets].map(([folder, stems]) => ({ path: `ImageSets/Main/${folder}.txt`, pieces: stems })),
  };
}

function openYolo(classNames: readonly string[]): FormatWriter {
  return {
    pathOf: ({ fileName, split }) => `images/${splitFolder(split)}/${fileName}`,
    describe({ fileName, split, labels, width, height }) {
      if (labels === null) return null;
      const lines = labels.flatMap(({ classIndex, box }) => {
        if (box === null) return [];
        const centre = [(box.xMin + box.xMax) / 2 / width, (box.yMin + box.yMax) / 2 / height];
        const size = [(box.xMax - box.xMin) / width, (box.yMax - box.yMin) / height];
        return `${[classIndex, ...centre, ...size].join(' ')}\n`;
      });
      return { path: `labels/${splitFolder(split)}/${stemOf(fileName)}.txt`, pieces: lines };
    },
    finish: () => {
      const names = Object.fromEntries(classNames.map((name, index) => [index, name]));
      const document = { path: '.', train: 'images/train', val: 'images/val', names };
      return [{ path: 'data.yaml', pieces: [toYaml(document)] }];
    },
  };
}
