import { maxNesting, maxNodes } from '../limits.js';
import { UploadRefused } from '../upload-refused.js';

/**
 * Looks through the bytes of an ONNX file without building anything of it, so that a file made to hurt (a million nodes,
 * graphs in graphs, weights that lie elsewhere) is known before it costs memory. Numbers are those of `onnx.proto3`;
 * the wire format is protobuf's (https://protobuf.dev/programming-guides/encoding/).
 * @throws UploadRefused
 */
export function scanOnnx(bytes: Uint8Array): void {
  const scan: Scan = { view: new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength), nodes: 0 };
  scanMessage(scan, model, 0, bytes.length, 0);
  if (scan.nodes === 0) throw new UploadRefused('this is not an ONNX model: it holds no graph with nodes');
}

interface Scan {
  readonly view: DataView;
  nodes: number;
}

interface Kind {
  readonly name: string;
  /** Kinds of the fields that are messages to look into. */
  readonly fields: ReadonlyMap<number, () => Kind>;
  /** Fields that a model must not have, with what to mend. */
  readonly refused?: ReadonlyMap<number, string>;
}

const tensor: Kind = {
  name: 'tensor',
  fields: new Map(),
  refused: new Map([
    [13, 'its weights lie in another file; save the model as one file, without external data'],
  ]),
};
const sparse = 'it has sparse weights, which are not supported; export it with dense ones';
const attribute: Kind = {
  name: 'attribute',
  fields: new Map([
    [5, () => tensor],
    [6, () => graph],
    [10, () => tensor],
    [11, () => graph],
  ]),
  refused: new Map([
    [22, sparse],
    [23, sparse],
  ]),
};
const node: Kind = { name: 'node', fields: new Map([[5, () => attribute]]) };
const graph: Kind = {
  name: 'graph',
  fields: new Map([
    [1, () => node],
    [5, () => tensor],
  ]),
  refused: new Map([[15, sparse]]),
};
const functionKind: Kind = { name: 'function', fields: new Map([[7, () => node]]) };
const model: Kind = {
  name: 'model',
  fields: new Map([
    [7, () => graph],
    [25, () => functionKind],
  ]),
};

function scanMessage(scan: Scan, kind: Kind, start: number, end: number, graphs: number): void {
  const depth = kind === graph ? graphs + 1 : graphs;
  if (depth > maxNesting) {
    throw new UploadRefused(
      `its graphs are nested more than ${maxNesting} deep; export it without control flow`,
    );
  }
  if (kind === node && ++scan.nodes > maxNodes) {
    throw new UploadRefused(`its graph has more than ${maxNodes} nodes; simplify it before uploading`);
  }
  let at = start;
  while (at < end) {
    const key = readVarint(scan, at, end);
    const [field, wire] = [Math.floor(key.value / 8), key.value % 8];
    at = key.next;
    if (wire === 0) at = readVarint(scan, at, end).next;
    else if (wire === 1) at += 8;
    else if (wire === 5) at += 4;
    else if (wire === 2) {
      const length = readVarint(scan, at, end);
      at = length.next + length.value;
      if (at > end) throw damaged();
      const refusal = kind.refused?.get(field);
      if (refusal !== undefined) throw new UploadRefused(`the model cannot be taken: ${refusal}`);
      const inner = kind.fields.get(field)?.();
      if (inner !== undefined) scanMessage(scan, inner, length.next, at, depth);
    } else throw damaged();
    if (at > end) throw damaged();
  }
}

/** Lengths and keys; longer ones than a number holds exactly end in `damaged` by their size. */
function readVarint({ view }: Scan, start: number, end: number): { value: number; next: number } {
  let value = 0;
  for (let index = 0; index < 10; index++) {
    const at = start + index;
    if (at >= end) break;
    const byte = view.getUint8(at);
    value += (byte & 0x7f) * 2 ** (7 * index);
    if (byte < 0x80) return { value, next: at + 1 };
  }
  throw damaged();
}

function damaged(): UploadRefused {
  return new UploadRefused(
    'this is not an ONNX, TFLite or TF.js model, or it was cut short: upload the whole file again',
  );
}
