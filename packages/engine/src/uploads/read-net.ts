import { hintsBeside, mergeHints } from './files-beside.js';
import type { ImportOptions } from './import-options.js';
import type { UploadLimits } from './limits.js';
import type { Net } from './net.js';
import { readOnnxNet } from './onnx-net.js';
import { readTfjsNet } from './tfjs-net.js';
import { readTfliteNet } from './tflite-net.js';
import type { UploadFiles } from './unpack.js';
import { unpack } from './unpack.js';
import { UploadRefused } from './upload-refused.js';

/** The net of an upload, whatever its format; detected by the bytes; names only distinguish labels and shards. */
export async function readNet(
  uploaded: UploadFiles,
  options: ImportOptions,
  limits: UploadLimits,
): Promise<Net> {
  const files = await flatten(uploaded, limits);
  const models = [...files].filter(([name, bytes]) => kindOf(name, bytes) !== undefined);
  const [first, ...others] = models;
  if (first === undefined) throw new UploadRefused(nothingIn(files));
  if (others.length > 0) {
    const names = models.map(([name]) => name).join(', ');
    throw new UploadRefused(`several models were uploaded (${names.slice(0, 300)}); upload one at a time`);
  }
  const [name, bytes] = first;
  const net = await read(name, bytes, files, options, limits);
  return { ...net, hints: mergeHints(hintsBeside(files), net.hints) };
}

async function read(
  name: string,
  bytes: Uint8Array,
  files: UploadFiles,
  options: ImportOptions,
  limits: UploadLimits,
): Promise<Net> {
  switch (kindOf(name, bytes)) {
    case 'tflite':
      return readTfliteNet(bytes, options, limits);
    case 'tfjs':
      return readTfjsNet(name, bytes, files, options);
    default:
      return readOnnxNet(bytes);
  }
}

async function flatten(uploaded: UploadFiles, { maxUnpackedBytes }: UploadLimits): Promise<UploadFiles> {
  const files = new Map<string, Uint8Array>();
  for (const [name, bytes] of uploaded) {
    if (bytes.length === 0) throw new UploadRefused(`${name} is empty; upload it again`);
    // An empty zip begins with its end.
    const isZip = startsWith(bytes, 0, 'PK\x03\x04') || startsWith(bytes, 0, 'PK\x05\x06');
    if (!isZip) files.set(name, bytes);
    else for (const [inner, content] of await unpack(bytes, maxUnpackedBytes)) files.set(inner, content);
  }
  for (const [name, bytes] of files) {
    if (startsWith(bytes, 0, 'version https://git-lfs'))
      throw new UploadRefused(
        `${name} is a pointer of Git LFS, not the file that it stands for; run git lfs pull, then upload the file again`,
      );
  }
  return files;
}

function kindOf(name: string, bytes: Uint8Array): 'onnx' | 'tflite' | 'tfjs' | undefined {
  if (startsWith(bytes, 4, 'TFL3')) return 'tflite';
  if (/\.json$/i.test(name)) return isTfjs(bytes) ? 'tfjs' : undefined;
  if (/\.(txt|names|pbtxt|ya?ml|md|csv|bin|data)$|shard\d+of\d+/i.test(name)) return undefined;
  if (elsewhere(name, bytes) !== undefined) return undefined;
  return 'onnx';
}

function isTfjs(bytes: Uint8Array): boolean {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).includes('"modelTopology"');
}

function startsWith(bytes: Uint8Array, at: number, text: string): boolean {
  return Buffer.from(bytes.subarray(at, at + text.length)).toString('latin1') === text;
}

/** Unsupported formats, with what to do. */
function elsewhere(name: string, bytes: Uint8Array): string | undefined {
  if (startsWith(bytes, 0, '\x89HDF') || /\.(h5|keras)$/i.test(name))
    return 'this is a Keras model; convert it to ONNX (tf2onnx), TFLite or TF.js';
  if (/\.pkl$/i.test(name))
    return 'this is a PyTorch checkpoint; export it to ONNX (Ultralytics: yolo export format=onnx)';
  if (/\.pb$/i.test(name)) return 'this is a TensorFlow model; convert it to ONNX (tf2onnx) or TFLite';
  return undefined;
}

function nothingIn(files: UploadFiles): string {
  for (const [name, bytes] of files) {
    const way = elsewhere(name, bytes);
    if (way !== undefined) return way;
  }
  const names = [...files.keys()].join(', ').slice(0, 300) || 'nothing that a model is made of';
  return `no model was found (${names}); upload an .onnx, a .tflite, or the model.json of TF.js with its weights, alone or in a zip`;
}
