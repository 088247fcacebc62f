import type { Graph, Model, Node, ValueInfo } from '../onnx/proto/model.js';
import { lastStep } from './last-step.js';
import type { NetOutput } from './net.js';
import { UploadRefused } from './upload-refused.js';

const textType = 8;
/** `int32`, `int64`, `uint32` and `uint64`; bytes may be quantised scores. */
const integerTypes: ReadonlySet<number | undefined> = new Set([6, 7, 12, 13]);

interface ReadableOutputs {
  readonly outputs: readonly NetOutput[];
  /** Classes that a `ZipMap` names. */
  readonly labels?: readonly string[];
}

/**
 * The outputs that hold numbers. A `ZipMap` (of Custom Vision and scikit-learn) makes maps from class to score: the numbers before
 * it are read, with its names. Texts, such as the name of the best class, are left out.
 * @throws UploadRefused for other outputs that are no tensors.
 */
export function readableOutputs({ graph }: Model): ReadableOutputs {
  const producers = new Map<string, Node>();
  for (const node of graph.node ?? []) for (const name of node.output ?? []) producers.set(name, node);
  const outputs: NetOutput[] = [];
  let labels: readonly string[] | undefined;
  for (const info of graph.output ?? []) {
    const { name = '' } = info;
    const zipMap = producers.get(name)?.opType === 'ZipMap' ? producers.get(name) : undefined;
    const [source] = zipMap?.input ?? [];
    if (zipMap !== undefined && source !== undefined) {
      labels = classNames(zipMap);
      outputs.push(named(source, name));
    } else if (isTensor(info, name)) outputs.push(named(name, name, info));
  }
  return { outputs, ...(labels && { labels }) };

  function named(name: string, title: string, info?: ValueInfo): NetOutput {
    const last = lastStep(graph, name) ?? (info && isOneInteger(info) ? 'arg-max' : undefined);
    const isInteger = integerTypes.has(info?.type?.tensorType?.elemType);
    return { name, title, ...(last && { last }), ...(isInteger && { isInteger }) };
  }
}

/** As scikit-learn gives the number of the best class beside the scores. */
function isOneInteger({ type }: ValueInfo): boolean {
  const { elemType, shape } = type?.tensorType ?? {};
  const isInteger = elemType === 6 || elemType === 7;
  return (
    isInteger &&
    (shape?.dim?.length ?? 0) <= 2 &&
    (shape?.dim ?? []).every(({ dimValue = 1n }) => Number(dimValue) <= 1)
  );
}

/** False for texts. */
function isTensor({ type }: ValueInfo, name: string): boolean {
  if (type === undefined || type.tensorType !== undefined) return type?.tensorType?.elemType !== textType;
  const kind = type.sequenceType ? 'a sequence' : type.optionalType ? 'an optional value' : 'a map';
  throw new UploadRefused(
    `the output ${name} is ${kind}, and no tensor of numbers; export the model with tensors as outputs ` +
      '(of scikit-learn: the option zipmap=False)',
  );
}

function classNames({ attribute = [] }: Node): readonly string[] {
  const texts = attribute.find(({ name }) => name === 'classlabels_strings')?.strings ?? [];
  const numbers = attribute.find(({ name }) => name === 'classlabels_int64s')?.ints ?? [];
  return texts.length > 0 ? texts.map((text) => Buffer.from(text).toString('utf8')) : numbers.map(String);
}

/** The model with these outputs alone, without the nodes that only others need: their operators need not be known. */
export function withOutputs(model: Model, names: readonly string[]): Model {
  const { graph } = model;
  const declared = new Map((graph.output ?? []).map((info) => [info.name ?? '', info]));
  if (names.length === declared.size && names.every((name) => declared.has(name))) return model;
  const output = names.map((name) => declared.get(name) ?? { name, type: { tensorType: { elemType: 1 } } });
  const needed = new Set(names);
  const node = (graph.node ?? []).toReversed().filter((each) => {
    if (!each.output?.some((name) => needed.has(name))) return false;
    for (const name of inputsOf(each)) needed.add(name);
    return true;
  });
  return { ...model, graph: { ...graph, node: node.reverse(), output } };
}

/** Graphs within a node read values around it too. */
function inputsOf({ input = [], attribute = [] }: Node): string[] {
  const inner = attribute.flatMap(({ g, graphs = [] }) => [...(g ? [g] : []), ...graphs]);
  return [
    ...input,
    ...inner.flatMap(({ node = [], output = [] }: Graph) => [
      ...node.flatMap(inputsOf),
      ...output.map(({ name = '' }) => name),
    ]),
  ];
}
