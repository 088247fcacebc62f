import { Type } from 'typebox';
import { Value } from 'typebox/value';
import { parse as parseYaml } from 'yaml';
import type { ImageScale } from '../onnx/recipe.js';
import { readLabelFiles } from './label-files.js';
import { type Metadata, metadataHints } from './metadata-hints.js';
import type { NetHints } from './net.js';
import { decodeText } from './text.js';
import type { UploadFiles } from './unpack.js';

const maxBytes = 2_000_000;

/** Hints in the files beside a model, or packed into it: labels, Ultralytics' metadata, Hugging Face's preprocessing. */
export function hintsBeside(files: UploadFiles): NetHints {
  const metadata = exporterMetadata(files);
  const labels = readLabelFiles(files);
  const own = metadata ? metadataHints(metadata) : {};
  const face = huggingFaceHints(files);
  return {
    ...face,
    ...own,
    ...(labels && own.labels === undefined && { labels: labels.names }),
    notes: [
      ...(face.notes ?? []),
      ...(labels && own.labels === undefined ? [`The labels are those of ${labels.file}.`] : []),
    ],
  };
}

/** Ultralytics writes `metadata.yaml` beside a model; into a TFLite file, JSON or a dictionary of Python. YAML reads all three. */
function exporterMetadata(files: UploadFiles): Metadata | undefined {
  for (const [name, bytes] of files) {
    if (!/(^|\/)((temp_)?meta(data)?\.(json|ya?ml|txt)|data\.ya?ml)$/i.test(name) || bytes.length > maxBytes)
      continue;
    const content = parse(decodeText(bytes));
    if (!Value.Check(Table, content)) continue;
    return new Map(
      Object.entries(content).map(([key, value]) => [
        key,
        typeof value === 'string' ? value : (JSON.stringify(value) ?? ''),
      ]),
    );
  }
  return undefined;
}

const Table = Type.Record(Type.String(), Type.Unknown());

function parse(text: string): unknown {
  try {
    return parseYaml(text);
  } catch {
    // Then there are no hints.
    return undefined;
  }
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
    if (bytes.length > maxBytes) continue;
    if (/(^|\/)preprocessor_config\.json$/i.test(name)) {
      const content = parse(decodeText(bytes));
      if (!Value.Check(Preprocessor, content)) continue;
      hints = {
        ...hints,
        scale: scaleOf(content),
        ...fitOf(content),
        notes: [`The image is prepared as ${name} says.`],
      };
    } else if (/(^|\/)config\.json$/i.test(name)) {
      const Config = Type.Object({ architectures: Type.Array(Type.String()) });
      const content = parse(decodeText(bytes));
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
