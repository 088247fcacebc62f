import { ByteBuffer } from 'flatbuffers';
import { elementCount } from '../../graph/value.js';
import { ImportError } from '../../import-error.js';
import { FlatTable } from './flat-table.js';

/**
 * A TFLite file's first subgraph. Field numbers are those of
 * tensorflow/compiler/mlir/lite/schema/schema.fbs, version 3.
 */
export interface TfliteModel {
  readonly tensors: readonly TfliteTensor[];
  readonly inputs: readonly number[];
  readonly outputs: readonly number[];
  readonly operators: readonly TfliteNode[];
}

/** Element types by their number in the schema; those not named here cannot be converted. */
const tensorTypes = new Map([
  [0, 'float32'],
  [1, 'float16'],
  [2, 'int32'],
  [3, 'uint8'],
  [4, 'int64'],
  [9, 'int8'],
] as const);
type TfliteType = typeof tensorTypes extends Map<number, infer Name> ? Name : never;

const elementBytes: Readonly<Record<TfliteType, number>> = {
  float32: 4,
  float16: 2,
  int32: 4,
  uint8: 1,
  int64: 8,
  int8: 1,
};

export interface TfliteTensor {
  readonly name: string;
  readonly dims: readonly number[];
  readonly type: TfliteType;
  /** Elements of a constant, little-endian; absent for activations. */
  readonly data?: Uint8Array;
  /** real = (stored - zeroPoint) x scale; one pair, or one for every index of `axis`. */
  readonly quantisation?: {
    readonly scales: readonly number[];
    readonly zeroPoints: readonly number[];
    readonly axis: number;
  };
}

export interface TfliteNode {
  /** Number in `BuiltinOperator`. */
  readonly code: number;
  /** Indices of tensors; -1 for one left out. */
  readonly inputs: readonly number[];
  readonly outputs: readonly number[];
  readonly options: FlatTable | undefined;
  /** Of an operator that is not TFLite's own. */
  readonly custom?: { readonly name: string; readonly options: Uint8Array };
}

const most = { tensors: 100_000, operators: 100_000, ends: 1024, dims: 8, channels: 65_536 } as const;

/** @throws ImportError when the bytes are not a whole TFLite file of version 3. */
export function readTfliteModel(bytes: Uint8Array): TfliteModel {
  const buffer = new ByteBuffer(bytes);
  if (bytes.length < 8 || Buffer.from(bytes.subarray(4, 8)).toString('latin1') !== 'TFL3') {
    throw new ImportError('not a TFLite file of schema version 3');
  }
  const model = FlatTable.root(buffer);
  const codes = model.tables(1, 1024);
  const [graph] = model.tables(2, 64);
  if (graph === undefined) throw new ImportError('the TFLite file holds no graph');
  const buffers = model.tables(4, most.tensors);
  const tensors = graph.tables(0, most.tensors).map((table) => readTensor(table, buffers));
  const operators = graph.tables(3, most.operators).map((table) => readOperator(table, codes));
  return { tensors, inputs: graph.integers(1, most.ends), outputs: graph.integers(2, most.ends), operators };
}

/** The code moved to a wider field after 127; the greater of both counts. */
function operatorCode(table: FlatTable): number {
  return Math.max(table.byte(0, 0), table.integer(3, 0));
}

function readOperator(table: FlatTable, codes: readonly FlatTable[]): TfliteNode {
  const index = table.integer(0, 0);
  const described = codes[index];
  if (described === undefined) throw new ImportError(`the TFLite file has no operator code ${index}`);
  const name = described.text(1).slice(0, 100);
  return {
    code: operatorCode(described),
    inputs: table.integers(1, most.ends),
    outputs: table.integers(2, most.ends),
    options: table.table(4),
    ...(name !== '' && { custom: { name, options: table.bytes(5) ?? new Uint8Array() } }),
  };
}

function readTensor(table: FlatTable, buffers: readonly FlatTable[]): TfliteTensor {
  const name = table.text(3).slice(0, 500);
  const dims = table.integers(0, most.dims);
  const type = tensorTypes.get(table.byte(1, 0) as 0 | 1 | 2 | 3 | 4 | 9);
  if (type === undefined)
    throw new ImportError(`tensor ${name} has element type ${table.byte(1, 0)}, which is not supported`);
  if (!dims.every((side) => side >= 0) || elementCount(dims) > 2 ** 31) {
    throw new ImportError(
      `tensor ${name} has the shape [${dims}]; every side must be known and the whole below 2^31`,
    );
  }
  const data = buffers[table.integer(2, 0)]?.bytes(0);
  const constant = data !== undefined && data.length > 0;
  if (constant && data.length !== elementCount(dims) * elementBytes[type]) {
    throw new ImportError(`tensor ${name} of shape [${dims}] has ${data.length} bytes of data`);
  }
  const quantisation = readQuantisation(table.table(4), name);
  return { name, dims, type, ...(constant ? { data } : {}), ...(quantisation ? { quantisation } : {}) };
}

function readQuantisation(table: FlatTable | undefined, name: string): TfliteTensor['quantisation'] {
  const scales = table?.floats(2, most.channels) ?? [];
  if (table === undefined || scales.length === 0) return undefined;
  const zeroPoints = table.longs(3, most.channels);
  const padded = zeroPoints.length === 0 ? scales.map(() => 0) : zeroPoints;
  if (padded.length !== scales.length || !scales.every((scale) => Number.isFinite(scale) && scale > 0)) {
    throw new ImportError(`tensor ${name} has a quantisation that makes no sense`);
  }
  return { scales, zeroPoints: padded, axis: table.integer(6, 0) };
}
