import { readFile } from 'node:fs/promises';
import { Type } from 'typebox';
import { Value } from 'typebox/value';
import { Label } from '../catalog/manifest.js';
import { UploadRefused } from './upload-refused.js';

const Table = Type.Array(Label);
const tables = new URL('../../models/labels/', import.meta.url);

/** Well-known lists of classes: that of ImageNet's 1000, and COCO's 80 with their numbers, 1 to 90. */
export interface KnownLabels {
  readonly imagenet: readonly string[];
  readonly coco: ReadonlyMap<number, string>;
}

export async function readKnownLabels(): Promise<KnownLabels> {
  const [imagenet, coco] = await Promise.all(['imagenet.json', 'coco.json'].map(readTable));
  return {
    imagenet: (imagenet ?? []).map(({ title }) => title),
    coco: new Map((coco ?? []).map(({ id, title }) => [Number(id.replace('coco:', '')), title])),
  };
}

async function readTable(name: string): Promise<Label[]> {
  const table: unknown = JSON.parse(await readFile(new URL(name, tables), 'utf8'));
  return Value.Check(Table, table) ? table : [];
}

/**
 * The labels that the user gave, else those of the file. Refuses fewer labels than the file has names: the classes without a label
 * would be lost without a word.
 * @param most Names that the outputs have room for; more of them in the file say nothing about the outputs.
 */
export function ownLabels(
  given: readonly string[] | undefined,
  ofFile: readonly string[] | undefined,
  most = Number.POSITIVE_INFINITY,
): readonly string[] | undefined {
  if (given === undefined || ofFile === undefined) return given ?? ofFile;
  if (given.length < ofFile.length && ofFile.length <= most) {
    const named = ofFile.slice(0, 5).join(', ') + (ofFile.length > 5 ? ', …' : '');
    throw new UploadRefused(
      `the file names ${ofFile.length} classes (${named}); give as many labels, not ${given.length}, or none`,
    );
  }
  return given;
}

/** Names for classes that have none. */
export function numbered(count: number): string[] {
  return Array.from({ length: count }, (_, index) => `class ${index}`);
}

/** Labels of a manifest are printable and have unique titles: a second `crane` becomes `crane (2)`. */
export function distinct(titles: readonly string[]): string[] {
  const taken = new Set<string>();
  return titles.map((given, index) => {
    const printable = given.replace(/\p{Cc}+/gu, ' ').replace(/\p{Cs}/gu, '');
    const title = printable.trim() || `class ${index}`;
    let free = title;
    for (let count = 2; taken.has(free); count++) free = `${title} (${count})`;
    taken.add(free);
    return free;
  });
}

/** As TensorFlow's and torchvision's lists of labels begin. */
export function isBackground(name: string | undefined): boolean {
  return name !== undefined && /^(\W*_*background_*\W*|\?+)$/i.test(name);
}
