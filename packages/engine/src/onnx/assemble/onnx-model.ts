import { GraphBuilder } from '../graph/graph-builder.js';
import { permute, storedDims } from '../graph/storage.js';
import type { Value } from '../graph/value.js';
import { importOnnx, outputNames } from '../import/onnx/import-onnx.js';
import { readModel } from '../proto/codec.js';
import type { Recipe } from '../recipe.js';
import { scaledImage } from './image-input.js';
import { withReadability } from './readability.js';
import type { BoundHead } from './registry.js';
import { withTrainedColumns } from './trained-columns.js';

/**
 * An ONNX model from the uint8 image to the outputs of its head.
 * @param file The bytes of a file that the recipe names.
 */
export function assembleOnnx(
  bytes: Uint8Array,
  { input, dims, scale, trainedColumns, readability }: Extract<Recipe, { importer: 'onnx' }>,
  head: BoundHead,
  file: (name: string) => Uint8Array,
): GraphBuilder {
  const source = readModel(bytes);
  const trained = trainedColumns
    ? withTrainedColumns(source, trainedColumns, file(trainedColumns.asset.path))
    : source;
  const model = readability ? withReadability(trained, readability, file(readability.asset.path)) : trained;
  const [batch, height, width] = dims;
  const builder = new GraphBuilder(height === 'free' || width === 'free', batch === 'free');
  const image = asStored(scaledImage(builder, dims, scale));
  const outputs = head.outputs.length > 0 ? head.outputs : outputNames(model);
  const values = importOnnx(builder, model, { input, image, outputs });
  head.write(builder, [...values.values()]);
  return builder;
}

/** The same bytes with dims in memory order: ONNX declares channels first. */
function asStored(value: Value): Value {
  return { ...value, dims: permute(storedDims(value), [0, 1, 2, 3]), storage: 'as-dims' };
}
