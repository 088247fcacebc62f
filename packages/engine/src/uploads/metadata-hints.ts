import type { ImageScale } from '../onnx/recipe.js';
import { scales } from './input.js';
import { maxLabelLength, maxLabels } from './limits.js';
import type { NetHints, UltralyticsHints } from './net.js';
import { listNames } from './numbered-names.js';

/** Metadata of a file by key, as texts: of ONNX's `metadata_props`, or of a JSON or YAML file that the exporter wrote. */
export type Metadata = ReadonlyMap<string, string>;

/** Characters of the names of a file's metadata. */
const maxNamesLength = 1_000_000;

const tasks = ['detect', 'segment', 'pose', 'obb', 'classify'] as const;

/**
 * Hints in the metadata of an export. Ultralytics writes `names`, `stride`, `imgsz`, `task`, `kpt_shape`, `end2end` and `args`; Windows ML
 * and Custom Vision write `Image.BitmapPixelFormat` and `Image.NominalPixelRange`.
 */
export function metadataHints(metadata: Metadata): NetHints {
  const labels = firstNames(metadata);
  const isTooLong = labels === undefined && (metadata.get('names') ?? '').length > maxNamesLength;
  const notes = [
    `The names in the metadata of the file are not read: they have more than ${maxNamesLength} characters, the limit. Give labels.`,
  ];
  const named = {
    ...(labels && { labels }),
    ...(isTooLong && { notes }),
    ...pixelHints(metadata),
    ...sizeHint(metadata),
  };
  const isUltralytics = metadata.has('stride') || /ultralytics/i.test(metadata.get('author') ?? '');
  if (!isUltralytics) return named;
  const ultralytics = ultralyticsHints(metadata);
  const maker = metadata.get('description')?.slice(0, 200) ?? 'Ultralytics';
  // YOLOv5's own exports have no task, and its classifiers expect another preprocessing than its detectors.
  const { task } = ultralytics;
  const family = task === 'classify' ? 'classifier' : 'detector';
  // Its RT-DETR sees images that are stretched.
  const fit = task === 'classify' ? 'centre' : isRtDetr(metadata) ? 'squash' : 'letterbox';
  return {
    ...named,
    ultralytics,
    maker,
    ...(task !== undefined && { family, fit, scale: scales.upTo1 }),
  };
}

/** Keys with the names of classes; Ultralytics' first. */
const nameKeys = ['names', 'labels', 'classes', 'class_names', 'id2label'];

function firstNames(metadata: Metadata): string[] | undefined {
  for (const key of nameKeys) {
    const names = readNames(metadata.get(key) ?? '');
    if (names !== undefined) return names;
  }
  return undefined;
}

function isRtDetr(metadata: Metadata): boolean {
  return /rt-?detr/i.test(metadata.get('description') ?? '');
}

function ultralyticsHints(metadata: Metadata): UltralyticsHints {
  const task = tasks.find((each) => each === metadata.get('task'));
  const keyPoints = metadata.get('kpt_shape')?.match(/\d+/g)?.map(Number);
  const [nms] = /["']?nms["']?\s*:\s*(true|false)/i.exec(metadata.get('args') ?? '')?.slice(1) ?? [];
  // Two classes of RT-DETR give rows of six numbers too, which are never finished.
  const isRaw = isRtDetr(metadata) ? 'false' : undefined;
  const flags = [metadata.get('end2end'), nms, isRaw].filter((flag) => flag !== undefined);
  return {
    ...(task && { task }),
    ...(keyPoints?.length === 2 && { keyPointNumbers: keyPoints.reduce((a, b) => a * b, 1) }),
    ...(flags.length > 0 && { isFinished: flags.some((flag) => /^true$/i.test(flag)) }),
  };
}

function sizeHint(metadata: Metadata): Pick<NetHints, 'size'> {
  const [height, width = height] = metadata.get('imgsz')?.match(/\d+/g)?.map(Number) ?? [];
  return height === undefined || width === undefined ? {} : { size: { width, height } };
}

/** Ranges of numbers by Windows ML's name. */
const ranges: Readonly<Record<string, Omit<ImageScale, 'channels'>>> = {
  NominalRange_0_255: { mean: [0], std: [1] },
  Normalized_0_1: { mean: [0], std: [255] },
  Normalized_1_1: { mean: [127.5], std: [127.5] },
};

/** Files without a range are fed 0 to 1, as the samples of Custom Vision do. */
function pixelHints(metadata: Metadata): Pick<NetHints, 'scale'> {
  const format = metadata.get('Image.BitmapPixelFormat');
  const range = metadata.get('Image.NominalPixelRange');
  if (format === undefined && range === undefined) return {};
  const channels = /bgr/i.test(format ?? '') ? 'bgr' : /gr[ae]y/i.test(format ?? '') ? 'grey' : 'rgb';
  return { scale: { channels, ...(ranges[range ?? ''] ?? { mean: [0], std: [255] }) } };
}

/** A table as Python prints it, {0: 'person', 1: 'bicycle'}, or as JSON has it, or a list of names in either way or with commas alone. */
export function readNames(text: string): string[] | undefined {
  if (text.length > maxNamesLength) return undefined;
  const names = new Map<number, string>();
  const entry =
    /(?:^|[{,])\s*["']?(\d{1,5})["']?\s*:\s*(?:'((?:[^'\\]|\\.){1,200})'|"((?:[^"\\]|\\.){1,200})"|(-?[\d.]{1,20}))/g;
  for (const [, index, single, double, number] of text.matchAll(entry))
    names.set(Number(index), unescaped(single ?? double ?? number ?? ''));
  return names.size > 0 ? listNames(names) : (readList(text) ?? readPythonList(text) ?? readCommas(text));
}

/** Without the escapes of Python's strings and of JSON's. */
function unescaped(text: string): string {
  const escapes =
    /\\(?:x([\dA-Fa-f]{2})|u([\dA-Fa-f]{4})|U(000[\dA-Fa-f]{5}|0010[\dA-Fa-f]{4})|([nrtbfv])|(.))/g;
  return text.replace(escapes, (_all, ...parts: readonly (string | undefined)[]) => {
    const [byte, short, long, space, other = ''] = parts;
    const code = byte ?? short ?? long;
    if (code !== undefined) return String.fromCodePoint(Number.parseInt(code, 16));
    return space === undefined ? other : ' ';
  });
}

/** YAML has the names of digits as numbers. */
function readList(text: string): string[] | undefined {
  try {
    const list: unknown = JSON.parse(text);
    const isNames =
      Array.isArray(list) &&
      list.length > 0 &&
      list.length <= maxLabels &&
      list.every((item) => typeof item === 'string' || typeof item === 'number');
    return isNames ? list.map((name: string | number) => String(name).slice(0, maxLabelLength)) : undefined;
  } catch {
    return undefined;
  }
}

/** A list or tuple as Python prints it: `['cat', "dog's"]`. */
function readPythonList(text: string): string[] | undefined {
  if (!/^\s*[[(]/.test(text) || !/[\])]$/.test(text.trimEnd())) return undefined;
  const item = /'((?:[^'\\]|\\.){0,200})'|"((?:[^"\\]|\\.){0,200})"/g;
  const names = Array.from(text.matchAll(item), ([, single, double]) => unescaped(single ?? double ?? ''));
  const isList = /^[\s,[\]()]*$/.test(text.replace(item, ''));
  return isList && names.length > 0 && names.length <= maxLabels ? names : undefined;
}

/** Several names with commas between them: `cat, dog`. */
function readCommas(text: string): string[] | undefined {
  if (!text.includes(',') || /[[\]{}():"'\n]/.test(text)) return undefined;
  const names = text.split(',').map((name) => name.trim().slice(0, maxLabelLength));
  return names.length <= maxLabels && !names.includes('') ? names : undefined;
}
