import { writeModel } from '../../onnx/proto/codec.js';
import type { ImageScale } from '../../onnx/recipe.js';
import { rewrite, rewrites, roundingRewrites } from '../../onnx/rewrites/rewrite.js';
import { afterNet, outputsOf } from '../after-net.js';
import { beforeNet } from '../before-net.js';
import type { ImportOptions } from '../import-options.js';
import { inputSize, planInput, scales } from '../input.js';
import { joinModels } from '../join-models.js';
import { type KnownLabels, readKnownLabels } from '../labels.js';
import type { Net } from '../net.js';
import { type Observed, observe } from '../observe.js';
import type { InputPlan, UploadPlan } from '../plan.js';
import { type Recognition, recognise } from '../recognise.js';
import { type Trial, tryModel } from '../trial.js';
import { UploadRefused } from '../upload-refused.js';
import { geometryOf } from './geometry.js';

/** A model with the reading of it that was chosen, tried. */
export interface ReadModel {
  readonly model: Uint8Array;
  readonly recognition: Recognition;
  readonly trial: Trial;
  readonly notes: readonly string[];
}

/** A slower net is not tried with another scale: the trial would take too long. */
const slowMs = 5_000;
/**
 * A classifier's log-odds for the drawn images differ by less than the first where its answers hardly depend on the image, and by more than the
 * second where they do.
 */
const [blind, seeing] = [0.03, 0.5];

/** Recognises, wraps and tries a net; where nothing says how the image is scaled, with fractions and with bytes. */
export async function readModel(net: Net, options: ImportOptions): Promise<ReadModel> {
  const known = await readKnownLabels();
  const usual = await attempt(net, options, known);
  if (usual instanceof UploadRefused) throw usual;
  const { scale } = usual.recognition.plan.input;
  if (!usual.recognition.isScaleGuessed || usual.trial.cost.ms > slowMs) return usual;
  const other: ImageScale = {
    ...(scale.std[0] === 1 ? scales.upTo1 : scales.bytes),
    channels: scale.channels,
  };
  const hints = { ...net.hints, scale: other };
  const attempted = await attempt({ ...net, hints }, options, known);
  if (attempted instanceof UploadRefused) return usual;
  const reason = reasonFor(attempted.trial, usual.trial);
  if (reason === undefined) return usual;
  const note =
    `Its image is fed ${other.std[0] === 1 ? '0 to 255' : '0 to 1'} in the order ${other.channels}: ${reason}. ` +
    'Give input.mean, input.std and input.channels where that is wrong.';
  return { ...attempted, notes: [...attempted.notes, note] };
}

/** Why the other scale is the better one; undefined where it is not. */
function reasonFor({ evidence: other }: Trial, { evidence: usual }: Trial): string | undefined {
  if (other.objects > 0 && usual.objects === 0) return 'so it finds the drawn object, and not as is usual';
  if (usual.variation < blind && other.variation > seeing)
    return 'so its answers differ from image to image, and hardly as is usual';
  return undefined;
}

async function attempt(
  net: Net,
  options: ImportOptions,
  known: KnownLabels,
): Promise<ReadModel | UploadRefused> {
  try {
    const size = inputSize(net, options);
    const look = async (input: InputPlan) => {
      const observations = await observe(net, input);
      const [seen = []] = observations;
      return { input, seen, recognition: recognise({ net, options, seen, observations, known, ...size }) };
    };
    let view = await look(planInput(net, options, { scale: scales.upTo1, fit: 'squash' }));
    // The outputs are judged as they are for the image that the net will get.
    const { input } = view.recognition.plan;
    if (JSON.stringify(input.scale) !== JSON.stringify(view.input.scale)) view = await look(input);
    const { recognition, seen } = view;
    const model = wrap(net, recognition.plan, seen);
    const trial = await tryModel(model, recognition, options);
    return { model, recognition, trial, notes: [...recognition.notes, ...trial.notes] };
  } catch (error) {
    if (error instanceof UploadRefused) return error;
    throw error;
  }
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
