import type { Attribute, Graph, Model, Node, TensorProto } from '../onnx/proto/model.js';
import { UploadRefused } from './upload-refused.js';

const oldestOpset = 7;
/** The newest opset that the runtime supports. */
const newestOpset = 24;

/** Domains whose operators the runtime has. */
const knownDomains = new Set(['', 'ai.onnx', 'ai.onnx.ml', 'com.microsoft']);

/** Bits of an element by `TensorProto.DataType`; text and complex numbers are not supported. */
const elementBits = new Map([
  [1, 32],
  [2, 8],
  [3, 8],
  [4, 16],
  [5, 16],
  [6, 32],
  [7, 64],
  [9, 8],
  [10, 16],
  [11, 64],
  [12, 32],
  [13, 64],
  [16, 16],
  [17, 8],
  [18, 8],
  [19, 8],
  [20, 8],
  [21, 4],
  [22, 4],
]);

/** @throws UploadRefused for what the runtime cannot run, or what would be harmful. */
export function checkOnnx(model: Model): void {
  const opset = opsetOf(model);
  if (opset < oldestOpset || opset > newestOpset) {
    throw new UploadRefused(
      `the model uses opset ${opset}; ${oldestOpset} to ${newestOpset} are supported: export it with opset 17`,
    );
  }
  const own = new Set((model.functions ?? []).map((each) => `${each.domain ?? ''}:${each.name ?? ''}`));
  checkGraph(model.graph, own);
  for (const each of model.functions ?? []) checkNodes(each.node ?? [], own);
}

export function opsetOf(model: Model): number {
  const own = model.opsetImport?.find(({ domain = '' }) => domain === '' || domain === 'ai.onnx');
  return Number(own?.version ?? 0n);
}

function checkGraph(graph: Graph, functions: ReadonlySet<string>): void {
  for (const tensor of graph.initializer ?? []) checkTensor(tensor);
  checkNodes(graph.node ?? [], functions);
}

function checkNodes(nodes: readonly Node[], functions: ReadonlySet<string>): void {
  for (const { opType = '', domain = '', name = '', attribute = [] } of nodes) {
    if (!knownDomains.has(domain) && !functions.has(`${domain}:${opType}`)) {
      throw new UploadRefused(
        `node ${name || '?'} uses the operator ${opType} of ${domain}, which the runtime does not have; ` +
          'export the model without it (post-processing plug-ins are not needed here)',
      );
    }
    for (const each of attribute) checkAttribute(each, functions);
  }
}

function checkAttribute({ t, g, tensors, graphs }: Attribute, functions: ReadonlySet<string>): void {
  for (const tensor of [t, ...(tensors ?? [])]) if (tensor !== undefined) checkTensor(tensor);
  for (const graph of [g, ...(graphs ?? [])]) if (graph !== undefined) checkGraph(graph, functions);
}

function checkTensor(tensor: TensorProto): void {
  const { name = '', dims = [], dataType = 0, rawData, dataLocation } = tensor;
  if (dataLocation === 1 || (tensor.externalData?.length ?? 0) > 0) {
    throw new UploadRefused(
      `the weights ${name} lie in another file; save the model as one file, without external data`,
    );
  }
  const bits = elementBits.get(dataType);
  if (bits === undefined)
    throw new UploadRefused(`the weights ${name} have element type ${dataType}, which is not supported`);
  const count = dims.reduce((product, side) => product * Number(side), 1);
  const holds = rawData !== undefined && rawData.length > 0 ? (rawData.length * 8) / bits : listed(tensor);
  // Two elements of four bits share a byte; the last may be half empty.
  const fits = bits < 8 ? Math.abs(holds - count) < 2 : holds === count;
  if (!fits || dims.some((side) => side < 0n)) {
    throw new UploadRefused(
      `the weights ${name} of shape [${dims.join(',')}] hold ${holds} numbers; the file is damaged, export it again`,
    );
  }
}

function listed({ floatData, int32Data, int64Data, doubleData, uint64Data }: TensorProto): number {
  const lists = [floatData, int32Data, int64Data, doubleData, uint64Data];
  return lists.reduce((total, list) => total + (list?.length ?? 0), 0);
}
