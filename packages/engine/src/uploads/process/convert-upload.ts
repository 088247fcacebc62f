import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { writeSynced } from '../../catalog/durable-file.js';
import type { Calibration, InputGeometry, ModelManifest } from '../../catalog/manifest.js';
import { writeModel } from '../../onnx/proto/codec.js';
import { rewrite, rewrites, roundingRewrites } from '../../onnx/rewrites/rewrite.js';
import { afterNet, outputsOf } from '../after-net.js';
import { beforeNet } from '../before-net.js';
import type { ImportRecord } from '../import-record.js';
import { inputSize, planInput, scales } from '../input.js';
import { joinModels } from '../join-models.js';
import { readKnownLabels } from '../labels.js';
import type { UploadLimits } from '../limits.js';
import type { Net } from '../net.js';
import { type Observed, observe } from '../observe.js';
import type { InputPlan, UploadPlan } from '../plan.js';
import { readNet } from '../read-net.js';
import { type Recognition, recognise } from '../recognise.js';
import { tryModel } from '../trial.js';
import { UploadRefused } from '../upload-refused.js';
import type { ConvertUpload } from './messages.js';

/** Grey of YOLO's letterbox. */
const letterboxFill = 114;

/** Everything that reads the untrusted file: reading, recognising, wrapping, trying. */
export async function convertUpload(request: ConvertUpload): Promise<void> {
  const { options, limits, outDir } = request;
  const net = await readNet(await readFiles(request, limits), options, limits);
  const size = inputSize(net, options);
  const seen = await observe(net, planInput(net, options, { scale: scales.upTo1, fit: 'squash' }));
  const found = recognise({ net, options, seen, known: await readKnownLabels(), ...size });
  const model = wrap(net, found.plan, seen);
  const trial = await tryModel(model, found);
  await writeSynced(join(outDir, 'model.onnx'), model);
  await writeSynced(join(outDir, 'manifest.json'), JSON.stringify(manifestOf(request, found)));
  const record: ImportRecord = {
    id: request.id,
    version: request.version,
    title: request.title,
    format: net.format,
    family: found.family,
    sources: request.files.map(({ name }) => name),
    options,
    plan: found.plan,
    notes: [
      ...(net.hints.maker ? [`The file says: ${net.hints.maker}.`] : []),
      ...found.notes,
      ...trial.notes,
    ],
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

function wrap(net: Net, plan: UploadPlan, seen: readonly Observed[]): Uint8Array {
  const dims = new Map(seen.map((each) => [each.name, each.dims] as const));
  const joined = joinModels({
    before: beforeNet(net, plan.input),
    net: net.model,
    after: afterNet(plan, dims),
    netInput: net.input.name,
    fed: net.constants.map(({ name }) => name),
    netOutputs: outputsOf(plan),
    metadata: { labels: JSON.stringify(plan.labels), input: JSON.stringify(geometryOf(plan.input)) },
  });
  return writeModel(rewrite(joined, net.format === 'tflite' ? Object.values(rewrites) : roundingRewrites));
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

function geometryOf({ fit, width, height, fraction, place }: InputPlan): InputGeometry {
  switch (fit) {
    case 'squash':
      return { fit, width, height };
    case 'letterbox':
      return { fit, width, height, fill: letterboxFill, place };
    case 'centre':
      if (width !== height)
        throw new UploadRefused(
          `the model takes ${width}x${height}; give input.fit squash or letterbox, not centre`,
        );
      return { fit, fraction, side: width };
  }
}
