import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { writeSynced } from '../../catalog/durable-file.js';
import type { Calibration, ModelManifest } from '../../catalog/manifest.js';
import type { ImportRecord } from '../import-record.js';
import type { UploadLimits } from '../limits.js';
import { readNet } from '../read-net.js';
import type { Recognition } from '../recognise.js';
import { UploadRefused } from '../upload-refused.js';
import { geometryOf } from './geometry.js';
import type { ConvertUpload } from './messages.js';
import { readModel } from './read-model.js';

/** Everything that reads the untrusted file: reading, recognising, wrapping, trying. */
export async function convertUpload(request: ConvertUpload): Promise<void> {
  const { options, limits, outDir } = request;
  const net = await readNet(await readFiles(request, limits), options, limits);
  const { model, recognition, trial, notes } = await readModel(net, options);
  await writeSynced(join(outDir, 'model.onnx'), model);
  await writeSynced(join(outDir, 'manifest.json'), JSON.stringify(manifestOf(request, recognition)));
  const record: ImportRecord = {
    id: request.id,
    version: request.version,
    title: request.title,
    format: net.format,
    family: recognition.family,
    sources: request.files.map(({ name }) => name),
    options,
    plan: recognition.plan,
    notes: [...(net.hints.maker ? [`The file says: ${net.hints.maker}.`] : []), ...notes],
    trial: trial.cost,
  };
  await writeSynced(join(outDir, 'import.json'), JSON.stringify(record));
}

async function readFiles(
  { files }: ConvertUpload,
  { maxFileBytes }: UploadLimits,
): Promise<Map<string, Uint8Array>> {
  const contents = new Map<string, Uint8Array>();
  let total = 0;
  for (const { name, path } of files) {
    total += (await stat(path)).size;
    if (total > maxFileBytes)
      throw new UploadRefused(`the upload has more than ${maxFileBytes} bytes; a smaller model is needed`);
    contents.set(name, await readFile(path));
  }
  return contents;
}

function manifestOf(request: ConvertUpload, { family, plan }: Recognition): ModelManifest {
  const { id, version, title, options } = request;
  const labels = plan.labels.map((label, index) => ({ id: `${id}:${index}`, title: label }));
  return {
    id,
    version,
    title,
    family,
    input: geometryOf(plan.input),
    labels,
    ...(options.threshold !== undefined && { calibration: calibrationOf(options.threshold) }),
  };
}

/** The given working point maps to 0.4, like that of every detector. */
function calibrationOf(threshold: number): Calibration {
  return {
    version: `told/${threshold}`,
    points: [
      [0, 0],
      [threshold, 0.4],
      [1, 1],
    ],
  };
}
