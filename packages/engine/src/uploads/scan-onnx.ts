import { type WireMessage, wireMessages } from '../onnx/proto/descriptor.js';
import { maxNesting, maxNodes } from './limits.js';
import { UploadRefused } from './upload-refused.js';

/**
 * Scans the bytes of an ONNX file without decoding it, so that a hostile file (a million nodes,
 * graphs in graphs, external weights) is found before it takes memory. Every message is scanned wherever it
 * occurs, and a field that ONNX does not have is refused: the runtime may support more than this scan. The wire format is
 * protobuf's (https://protobuf.dev/programming-guides/encoding/).
 * @throws UploadRefused
 */
export function scanOnnx(bytes: Uint8Array): void {
  const scan: Scan = { view: new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength), nodes: 0 };
  scanMessage(scan, 'ModelProto', { start: 0, end: bytes.length, graphs: 0, depth: 0 });
  if (scan.nodes === 0) throw new UploadRefused('this is not an ONNX model: it holds no graph with nodes');
}

interface Scan {
  readonly view: DataView;
  nodes: number;
}

interface Stretch {
  readonly start: number;
  readonly end: number;
  /** Depth in graphs and messages. */
  readonly graphs: number;
  readonly depth: number;
}

/** Messages within messages: a graph takes three, and types may hold types. */
const maxDepth = 8 * maxNesting;

const elsewhere =
  'the model cannot be taken: its weights lie in another file; save the model as one file, without external data';
const sparse =
  'the model cannot be taken: it has sparse weights, which are not supported; export it with dense ones';
/** Forbidden fields of a model, by message and field. */
const refused: ReadonlyMap<string, string> = new Map([
  ['TensorProto.externalData', elsewhere],
  ['GraphProto.sparseInitializer', sparse],
  ['AttributeProto.sparseTensor', sparse],
  ['AttributeProto.sparseTensors', sparse],
]);

/** Wire types of protobuf's own types; a list of numbers may be packed into one stretch. */
const wireTypes: ReadonlyMap<string, readonly number[]> = new Map([
  ['int32', [0, 2]],
  ['int64', [0, 2]],
  ['uint64', [0, 2]],
  ['float', [5, 2]],
  ['double', [1, 2]],
  ['string', [2]],
  ['bytes', [2]],
]);

function scanMessage(scan: Scan, name: string, { start, end, graphs, depth }: Stretch): void {
  const message = wireMessages.get(name);
  if (!message) throw new Error(`no message ${name}`);
  checkDepth(scan, name, graphs, depth);
  let at = start;
  while (at < end) {
    const key = readVarint(scan, at, end);
    const [number, wire] = [Math.floor(key.value / 8), key.value % 8];
    const field = fieldOf(message, number, wire);
    at = key.next;
    if (wire === 0) {
      const { value, next } = readVarint(scan, at, end);
      at = next;
      if (field.name === 'dataLocation' && value !== 0) throw new UploadRefused(elsewhere);
    } else if (wire === 1) at += 8;
    else if (wire === 5) at += 4;
    else {
      const length = readVarint(scan, at, end);
      at = length.next + length.value;
      if (at > end) throw damaged();
      const refusal = refused.get(`${name}.${field.name}`);
      if (refusal !== undefined) throw new UploadRefused(refusal);
      if (wireMessages.has(field.type)) {
        const isGraph = field.type === 'GraphProto';
        scanMessage(scan, field.type, {
          start: length.next,
          end: at,
          graphs: isGraph ? graphs + 1 : graphs,
          depth: depth + 1,
        });
      }
    }
    if (at > end) throw damaged();
  }
}

function checkDepth(scan: Scan, name: string, graphs: number, depth: number): void {
  if (graphs > maxNesting || depth > maxDepth) {
    throw new UploadRefused(
      `its graphs are nested more than ${maxNesting} deep; export it without control flow`,
    );
  }
  if (name === 'NodeProto' && ++scan.nodes > maxNodes) {
    throw new UploadRefused(`its graph has more than ${maxNodes} nodes; simplify it before uploading`);
  }
}

/** Throws for one that ONNX does not have, or has in another form. */
function fieldOf(message: WireMessage, number: number, wire: number) {
  const field = message.fields.get(number);
  if (wire > 5 || wire === 3 || wire === 4 || number === 0) throw damaged();
  if (!field) {
    throw new UploadRefused(
      `this is no ONNX file, or one that is not known here: ${message.name} has a field ${number}; ` +
        'export the model with a released version of ONNX, without extensions',
    );
  }
  if (!(wireTypes.get(field.type) ?? [2]).includes(wire)) throw damaged();
  return field;
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
