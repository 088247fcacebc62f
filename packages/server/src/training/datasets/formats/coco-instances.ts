import type { Split } from '../dataset.js';
import { boxOfOutline } from './coco-outline.js';
import type { FindFile } from './find-file.js';
import { classNameOf, fieldOf, numberOf, type PlannedLabel, type Size, sizeOf } from './plan.js';
import type { PlanFindings } from './plan-findings.js';
import type { PlannedImages } from './planned-images.js';

interface CocoTarget {
  /** The file that is read. */
  readonly file: string;
  readonly split: Split | null;
  readonly find: FindFile;
  readonly images: PlannedImages;
  readonly findings: PlanFindings;
}

interface CocoImage {
  readonly name: string;
  readonly size: Size | undefined;
  readonly labels: PlannedLabel[];
  lost: number;
}

interface ImagesOfId {
  readonly first: CocoImage;
  readonly byName: Map<string, CocoImage>;
  /** The first names, for findings. */
  readonly someNames: string[];
  /** Annotations that may be of any of several. */
  lost: number;
}

/** The images, categories and annotations of one COCO file; its annotations come after the others. */
export class CocoInstances {
  readonly #target: CocoTarget;
  /** By id. Files that were joined may have one id for several images: nobody can know which of them its annotations belong to. */
  readonly #images = new Map<string, ImagesOfId>();
  /** By id, the names that it has: more than one where files were joined. */
  readonly #categories = new Map<string, Set<string>>();
  /** Annotations of images that are not listed. */
  #orphans = 0;
  readonly #labelled = new Set<string>();
  #isBegun = false;
  #isOther = false;

  constructor(target: CocoTarget) {
    this.#target = target;
  }

  /** Whether anything was read that is part of such a file. */
  get isBegun(): boolean {
    return this.#isBegun;
  }

  /** Names of classes of its annotations. */
  get labelled(): ReadonlySet<string> {
    return this.#labelled;
  }

  /** Whether its annotations are of something else than objects: captions, or panoptic segments. */
  get isOther(): boolean {
    return this.#isOther;
  }

  /** Looks at the first annotation, which shows what the others are. */
  canHave(annotation: unknown): boolean {
    this.#isOther = ['caption', 'segments_info'].some((field) => fieldOf(annotation, field) !== undefined);
    this.#isBegun ||= !this.#isOther;
    return !this.#isOther;
  }

  addImage(element: unknown): void {
    this.#isBegun = true;
    const id = refOf(fieldOf(element, 'id'));
    const name = nameOf(element);
    if (id === undefined || name === undefined) {
      const message = `an entry of images, ${excerpt(element)}, has no id or no file_name`;
      this.#target.findings.add('no-image', this.#target.file, message);
      return;
    }
    const size = sizeOf(fieldOf(element, 'width'), fieldOf(element, 'height'));
    const known = this.#images.get(id);
    const image: CocoImage = { name, size, labels: [], lost: 0 };
    if (!known)
      this.#images.set(id, { first: image, byName: new Map([[name, image]]), someNames: [name], lost: 0 });
    else if (!known.byName.has(name)) {
      known.byName.set(name, image);
      if (known.someNames.length < 5) known.someNames.push(name);
    }
  }

  addCategory(element: unknown): void {
    const id = refOf(fieldOf(element, 'id'));
    const name = classNameOf(fieldOf(element, 'name'));
    if (id === undefined || name === undefined) {
      const message = `an entry of categories, ${excerpt(element)}, has no id or no name`;
      this.#target.findings.add('unknown-class', this.#target.file, message);
      return;
    }
    this.#categories.set(id, (this.#categories.get(id) ?? new Set()).add(name));
  }

  addAnnotation(element: unknown): void {
    const imageId = refOf(fieldOf(element, 'image_id'));
    const own = this.#images.get(imageId ?? '');
    const { file, findings } = this.#target;
    if (imageId === undefined || !own) {
      this.#orphans += 1;
      const message = `an annotation is of image ${imageId ?? 'without an id'}, which is not listed`;
      findings.add('no-image', file, message, 1);
      return;
    }
    const image = own.first;
    if (own.byName.size > 1) {
      own.lost += 1;
      const names = own.someNames;
      findings.add('bad-label', file, `image ${imageId} is listed as ${names.join(', as ')}`, 1);
      return;
    }
    const label = this.#toLabel(element, image.size);
    if (typeof label === 'object') {
      image.labels.push(label);
      return;
    }
    image.lost += 1;
    findings.add(
      label === 'unknown-class' ? label : 'bad-label',
      image.name,
      label === 'unknown-class'
        ? `${file}: category ${this.#describeCategory(fieldOf(element, 'category_id'))}`
        : `${file}: ${label}`,
      1,
    );
  }

  /** The names of classes, in the order of their numbers. */
  classNames(): readonly string[] {
    return [...this.#categories]
      .sort(([a], [b]) => Number(a) - Number(b))
      .flatMap(([, names]) => (names.size === 1 ? [...names] : []));
  }

  /** Adds what is said of images. Where annotations are of images that are not listed, any image may have lost some of its own. */
  finish(): void {
    const { file, split, find, images, findings } = this.#target;
    for (const { image, lost } of this.#listImages()) {
      const found = find(image.name, { path: file, split });
      if (found.path === null) {
        findings.add('no-image', image.name, `${file} lists it, and ${found.reason}`, image.labels.length);
        continue;
      }
      const isKnown = this.#orphans === 0 || image.labels.length + lost > 0;
      images.add(found, file, { split, labels: isKnown ? image.labels : null, lost });
    }
  }

  *#listImages() {
    for (const { byName, lost } of this.#images.values())
      for (const image of byName.values()) yield { image, lost: image.lost + lost };
  }

  /** Or what is wrong with it. Without a box it is of the whole image. */
  #toLabel(element: unknown, declared: Size | undefined): PlannedLabel | string {
    const names = this.#categories.get(refOf(fieldOf(element, 'category_id')) ?? '');
    const [className] = names ?? [];
    if (className === undefined || names?.size !== 1) return 'unknown-class';
    this.#labelled.add(className);
    const crowd = fieldOf(element, 'iscrowd');
    if (crowd === 1 || crowd === true) return `a crowd of ${className} is no single object`;
    const label = { className, unit: 'pixels' as const, ...(declared && { declared }) };
    const bbox = fieldOf(element, 'bbox');
    const box = boxOf(bbox);
    if (box && box.xMax > box.xMin && box.yMax > box.yMin) return { ...label, box };
    const outline = boxOfOutline(fieldOf(element, 'segmentation'));
    if (outline) return { ...label, ...outline };
    if (box) return { ...label, box };
    if (isMissing(bbox) && isMissing(fieldOf(element, 'segmentation'))) return { ...label, box: null };
    return 'a bbox is not x, y, width, height, as numbers';
  }

  #describeCategory(id: unknown): string {
    const names = this.#categories.get(refOf(id) ?? '');
    if (names) return `${id} is listed as ${[...names].join(' and as ')}`;
    return `${refOf(id) ?? 'without an id'} is not listed`;
  }
}

function boxOf(bbox: unknown) {
  if (!Array.isArray(bbox) || bbox.length !== 4) return undefined;
  const [x, y, width, height] = bbox.map(numberOf);
  if (x === undefined || y === undefined || width === undefined || height === undefined) return undefined;
  return { xMin: x, yMin: y, xMax: x + width, yMax: y + height };
}

function isMissing(value: unknown): boolean {
  return value === undefined || value === null || (Array.isArray(value) && value.length === 0);
}

/** The name of the file, or the end of its address, as files of LVIS have. */
function nameOf(element: unknown): string | undefined {
  return ['file_name', 'coco_url', 'flickr_url']
    .map((field) => fieldOf(element, field))
    .find((name): name is string => typeof name === 'string' && name.trim() !== '');
}

function refOf(value: unknown): string | undefined {
  return typeof value === 'number' || typeof value === 'string' ? String(value) : undefined;
}

function excerpt(element: unknown): string {
  return (JSON.stringify(element) ?? '').slice(0, 80);
}
