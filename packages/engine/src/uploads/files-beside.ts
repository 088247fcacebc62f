import { Type } from 'typebox';
import { Value } from 'typebox/value';
import type { ImageScale } from '../onnx/recipe.js';
import { checkNesting, maxYamlLength, readYaml } from '../read-yaml.js';
import { isLabelFile, readLabelFiles } from './label-files.js';
import { maxHintFileBytes } from './limits.js';
import { metadataHints } from './metadata-hints.js';
import type { NetHints } from './net.js';
import { decodeText } from './text.js';
import type { UploadFiles } from './unpack.js';
import { UploadRefused } from './upload-refused.js';

/** Hints in the files beside a model, or packed into it: labels, Ultralytics' metadata, Hugging Face's preprocessing. */
export function hintsBeside(files: UploadFiles): NetHints {
  const labels = readLabelFiles(files);
  const fromLabels: NetHints = labels
    ? {
        labels: labels.names,
        labelColumn: labels.column,
        labelNote: labels.note,
        files: { labels: labels.file },
      }
    : {};
  const notes = [...files].flatMap(([name, bytes]) => unreadNote(name, bytes) ?? []);
  const hints = mergeHints(mergeHints(fromLabels, huggingFaceHints(files)), exporterHints(files));
  return mergeHints(notes.length > 0 ? { notes } : {}, hints);
}

/** Says of a file that has hints by its name that it is too large to be read. */
function unreadNote(name: string, bytes: Uint8Array): string | undefined {
  const isMetadata = metadataName.test(name);
  if (!isMetadata && !isLabelFile(name)) return undefined;
  const isYaml = /\.ya?ml$/i.test(name);
  const most = isYaml ? maxYamlLength : maxHintFileBytes;
  if (bytes.length <= most) return undefined;
  return `${name} is not read: it has ${bytes.length} bytes, and ${most} are the limit of ${isYaml ? 'YAML; write it as JSON' : 'a file beside a model'}. Give labels, or a smaller file.`;
}

/** The hints of `own` count before those of `others`. */
export function mergeHints(others: NetHints, own: NetHints): NetHints {
  const fileOf = (name: 'labels' | 'scale' | 'fit') => {
    const source = own[name] === undefined ? others : own;
    return source[name] === undefined ? undefined : source.files?.[name];
  };
  const notes = [...(others.notes ?? []), ...(own.notes ?? [])];
  return {
    ...others,
    ...own,
    labelColumn: (own.labels === undefined ? others : own).labelColumn,
    labelNote: (own.labels === undefined ? others : own).labelNote,
    ...(notes.length > 0 && { notes }),
    files: { labels: fileOf('labels'), scale: fileOf('scale'), fit: fileOf('fit') },
  };
}

const metadataName = /(^|\/)((temp_)?meta(data)?\.(json|ya?ml|txt)|data\.ya?ml)$/i;

/** Ultralytics writes `metadata.yaml` beside a model; into a TFLite file, JSON or a dictionary of Python. YAML reads all three. */
function exporterHints(files: UploadFiles): NetHints {
  for (const [name, bytes] of files) {
    if (!metadataName.test(name)) continue;
    const content = parse(name, bytes);
    if (!Value.Check(Table, content)) continue;
    const metadata = new Map(
      Object.entries(content).map(([key, value]) => [
        key,
        typeof value === 'string' ? value : (JSON.stringify(value) ?? ''),
      ]),
    );
    const hints = metadataHints(metadata);
    if (Object.keys(hints).length > 0) return { ...hints, files: { labels: name, scale: name, fit: name } };
  }
  return {};
}

const Table = Type.Record(Type.String(), Type.Unknown());

/** The reader of YAML takes much longer, so JSON is not left to it. Refuses what is nested too deeply for those who walk over it. */
function parse(name: string, bytes: Uint8Array): unknown {
  if (bytes.length > maxHintFileBytes) return undefined;
  const text = decodeText(bytes);
  try {
    checkNesting(text);
  } catch (error) {
    throw new UploadRefused(`${name} ${error instanceof Error ? error.message : ''}; leave it out`);
  }
  for (const read of [JSON.parse, readYaml]) {
    try {
      const content: unknown = read(text);
      return content;
    } catch {
      // It is in the other format, or gives no hints.
    }
  }
  return undefined;
}

const Side = Type.Integer({ minimum: 8, maximum: 4096 });
const Size = Type.Union([
  Side,
  Type.Object({ height: Side, width: Side }),
  Type.Object({ shortest_edge: Side }),
]);
const Numbers = Type.Array(Type.Number(), { minItems: 1, maxItems: 3 });
const Preprocessor = Type.Object({
  do_rescale: Type.Optional(Type.Boolean()),
  rescale_factor: Type.Optional(Type.Number({ exclusiveMinimum: 0 })),
  do_normalize: Type.Optional(Type.Boolean()),
  image_mean: Type.Optional(Numbers),
  image_std: Type.Optional(Numbers),
  do_center_crop: Type.Optional(Type.Boolean()),
  size: Type.Optional(Size),
  crop_size: Type.Optional(Size),
});
type Preprocessor = Type.Static<typeof Preprocessor>;

/** `preprocessor_config.json` of a model of Hugging Face, and the kind of model in `config.json`. */
function huggingFaceHints(files: UploadFiles): NetHints {
  let hints: NetHints = {};
  for (const [name, bytes] of files) {
    if (/(^|\/)preprocessor_config\.json$/i.test(name)) {
      const content = parse(name, bytes);
      if (!Value.Check(Preprocessor, content)) continue;
      hints = { ...hints, scale: scaleOf(content), ...fitOf(content), files: { scale: name, fit: name } };
    } else if (/(^|\/)config\.json$/i.test(name)) {
      const Config = Type.Object({ architectures: Type.Array(Type.String()) });
      const content = parse(name, bytes);
      const [kind = ''] = Value.Check(Config, content) ? content.architectures : [];
      if (/ImageClassification$/.test(kind)) hints = { ...hints, family: 'classifier' };
      if (/ObjectDetection$/.test(kind)) hints = { ...hints, family: 'detector' };
    }
  }
  return hints;
}

/** ((byte x factor) - mean) / std as (byte - mean / factor) / (std / factor). */
function scaleOf({
  do_rescale: isRescaled = true,
  rescale_factor: factor = 1 / 255,
  do_normalize: isNormalised = true,
  image_mean: mean = [0],
  image_std: std = [1],
}: Preprocessor): ImageScale {
  const bytes = 1 / (isRescaled ? factor : 1);
  const rounded = (number: number) => Math.round(number * 1e4) / 1e4;
  return {
    channels: 'rgb',
    mean: isNormalised ? mean.map((number) => rounded(number * bytes)) : [0],
    std: isNormalised ? std.map((number) => rounded(Math.max(number, 1e-3) * bytes)) : [rounded(bytes)],
  };
}

function fitOf({ do_center_crop: isCropped = false, size, crop_size: crop }: Preprocessor): NetHints {
  const whole = sidesOf(isCropped ? (crop ?? size) : size);
  const shorter = sidesOf(size)?.height;
  const fraction = isCropped && whole && shorter ? Math.min(1, whole.height / shorter) : 1;
  return { fit: isCropped ? 'centre' : 'squash', fraction, ...(whole && { size: whole }) };
}

function sidesOf(size: Type.Static<typeof Size> | undefined): { width: number; height: number } | undefined {
  if (size === undefined) return undefined;
  if (typeof size === 'number') return { width: size, height: size };
  return 'height' in size ? size : { width: size.shortest_edge, height: size.shortest_edge };
}
