import { recogniseClassifier } from './classifier.js';
import { isScores } from './classifier-output.js';
import { recogniseColumns } from './columns.js';
import { describeUnknown } from './describe-unknown.js';
import { type Evidence, type FoundHead, isVector } from './evidence.js';
import type { ImportOptions, UploadFamily } from './import-options.js';
import { byteScale, planInput, scales } from './input.js';
import { distinct } from './labels.js';
import { recogniseList } from './list.js';
import type { Net } from './net.js';
import { recognisePair } from './pair.js';
import type { UploadPlan } from './plan.js';
import { recogniseEmptyRows, recogniseRows } from './rows.js';
import { recogniseScoredBoxes } from './scored-boxes.js';
import { UploadRefused } from './upload-refused.js';

export interface Recognition {
  readonly family: UploadFamily;
  readonly plan: UploadPlan;
  /** Assumptions, one sentence each. */
  readonly notes: readonly string[];
  /** Neither the options nor the file say how the image is scaled. */
  readonly isScaleGuessed: boolean;
}

/**
 * Recognises a net from its outputs for an image, its file's hints and its user's options, in increasing order of
 * precedence.
 * @throws UploadRefused with what was found, and which options to give.
 */
export function recognise(evidence: Evidence): Recognition {
  const { net, options, seen } = evidence;
  const unread = seen.find(({ data }) => data.length > 0 && data.every(Number.isNaN));
  // As no comparison holds for them, a detector would answer no box for any image.
  if (unread !== undefined)
    throw new UploadRefused(
      `the output ${unread.title} has no numbers for an ordinary image (NaN): the weights are damaged, or float16 overflowed; export it again as float32`,
    );
  const wanted = options.family ?? (options.layout === undefined ? net.hints.family : 'detector');
  const found = findByColumn(evidence, wanted);
  if (found === undefined) throw new UploadRefused(describeUnknown(evidence, wanted));
  const { head, family, usual } = found;
  const plan = { input: planInput(net, options, usual), head, labels: distinct(found.labels) };
  const isGuessed =
    byteScale(net.input) === undefined &&
    net.hints.scale === undefined &&
    net.hints.ultralytics === undefined &&
    options.input?.mean === undefined &&
    options.input?.std === undefined;
  const notes = [
    ...(net.hints.notes ?? []),
    ...fileNotes(net, options),
    ...found.notes,
    ...(isGuessed ? [scaleNote(plan)] : []),
  ];
  return { family, plan, notes, isScaleGuessed: isGuessed };
}

/**
 * Whether the first line of a column of labels is a class or its heading is decided by the number of classes of the net. Finished boxes do
 * not tell it.
 */
function findByColumn(evidence: Evidence, wanted: UploadFamily | undefined): FoundHead | undefined {
  const { labelColumn } = evidence.net.hints;
  if (labelColumn === undefined || evidence.options.labels !== undefined) return find(evidence, wanted);
  const [withFirst, withoutFirst] = [labelColumn.withFirst, labelColumn.withoutFirst].map((labels) =>
    findCounted(withLabels(evidence, labels), wanted),
  );
  // The odd number may be YOLOv5's objectness or a DETR's "nothing"; a classifier seldom has a background.
  const isEither =
    withFirst !== undefined &&
    withoutFirst !== undefined &&
    (withFirst.family !== 'classifier' || withoutFirst.family !== 'classifier');
  return (isEither ? undefined : (withFirst ?? withoutFirst)) ?? find(evidence, wanted);
}

function withLabels({ net, ...rest }: Evidence, labels: readonly string[]): Evidence {
  return { ...rest, net: { ...net, hints: { ...net.hints, labels } } };
}

/** Heads whose outputs do not show the number of classes. */
const finishedHeads: ReadonlySet<string> = new Set(['rows', 'list', 'scored-boxes']);

/** A head that has as many classes as there are labels. */
function findCounted(evidence: Evidence, wanted: UploadFamily | undefined): FoundHead | undefined {
  try {
    const found = find(evidence, wanted);
    const isFinished = found !== undefined && finishedHeads.has(found.head.head);
    return isFinished ? undefined : found;
  } catch (error) {
    if (error instanceof UploadRefused) return undefined;
    throw error;
  }
}

function find(evidence: Evidence, wanted: UploadFamily | undefined): FoundHead | undefined {
  const { seen, net } = evidence;
  if (wanted === 'embedder' || (wanted === undefined && isEmbedding(evidence))) {
    const [output] = seen;
    if (output === undefined || !isVector(output)) return undefined;
    const scale = net.input.order === 'nhwc' ? scales.around0 : scales.imagenet;
    return {
      family: 'embedder',
      head: { head: 'embedder', output: output.name },
      labels: [],
      usual: { scale, fit: 'squash' },
      notes: [],
    };
  }
  if (wanted !== 'classifier') {
    const detector = recogniseDetector(evidence);
    if (detector !== undefined || wanted === 'detector') return detector;
  }
  return recogniseClassifier(evidence);
}

function isEmbedding({ seen, options, net }: Evidence): boolean {
  const [output, ...others] = seen;
  if (output === undefined || others.length > 0 || !isVector(output)) return false;
  if (options.labels !== undefined || net.hints.labels !== undefined) return false;
  const length = Math.hypot(...output.data);
  const signed = output.data.some((number) => number < -1e-6);
  return (signed && Math.abs(length - 1) < 1e-3) || /embed|feature/i.test(output.title);
}

/** The files beside the model whose hints count, because the user's options say nothing else. */
function fileNotes(
  { hints: { files = {}, labelNote }, input }: Net,
  { labels, input: given = {} }: ImportOptions,
): string[] {
  const isScaleGiven = given.mean !== undefined && given.std !== undefined;
  const scale = isScaleGiven || byteScale(input) !== undefined ? undefined : files.scale;
  const fit = given.fit === undefined ? files.fit : undefined;
  return [
    ...(files.labels && labels === undefined ? [`The labels are those of ${files.labels}.`] : []),
    ...(labelNote !== undefined && labels === undefined ? [labelNote] : []),
    ...(scale && scale === fit ? [`The image is prepared as ${scale} says.`] : []),
    ...(scale && scale !== fit ? [`The mean and deviation of the image are those of ${scale}.`] : []),
    ...(fit && scale !== fit ? [`The image is cropped or stretched as ${fit} says.`] : []),
  ];
}

function scaleNote({ input: { scale } }: UploadPlan): string {
  return (
    `The file does not say how its image is scaled; (byte - ${scale.mean.join('/')}) / ${scale.std.join('/')} ` +
    `in the order ${scale.channels} is assumed. Give input.mean, input.std and input.channels where that is wrong.`
  );
}

/** By the layout where there is one, else by the shapes of the net's outputs. */
function recogniseDetector(evidence: Evidence): FoundHead | undefined {
  const { options, net, seen } = evidence;
  const layout = options.layout ?? net.hints.layout;
  switch (layout) {
    case 'yolov5':
    case 'yolov8':
    case 'yolox':
      return recogniseColumns(evidence, layout);
    case 'rows':
      return recogniseRows(evidence, true);
    case 'detr':
      return recognisePair(evidence);
    case 'ssd':
      return recogniseList(evidence) ?? recogniseScoredBoxes(evidence);
    default:
      return (
        recogniseList(evidence) ??
        recogniseScoredBoxes(evidence) ??
        recognisePair(evidence) ??
        recogniseRows(evidence, false) ??
        // The hidden state of a transformer beside its classes looks like columns of boxes.
        (seen.some((output) => isScores(evidence, output))
          ? undefined
          : (recogniseColumns(evidence, undefined) ?? recogniseEmptyRows(evidence)))
      );
  }
}
