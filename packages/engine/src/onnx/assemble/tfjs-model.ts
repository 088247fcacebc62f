import { elementTypeCodes } from '../graph/element-type.js';
import { GraphBuilder } from '../graph/graph-builder.js';
import { asChannelsFirst } from '../graph/storage.js';
import type { Value } from '../graph/value.js';
import { readGraphModel } from '../import/tfjs/graph-model.js';
import {
  declaredImageDims,
  graphOutputs,
  importGraphModel,
  type TfjsSource,
} from '../import/tfjs/import-tfjs.js';
import type { BoundHead } from './registry.js';

/** A TF.js GraphModel from the uint8 image to the outputs of its head. */
export function assembleTfjs(source: TfjsSource, input: string, head: BoundHead): GraphBuilder {
  const builder = new GraphBuilder(head.freeSize);
  const image = imageInput(builder, declaredImageDims(source.model, input));
  const outputs = head.outputs.length > 0 ? head.outputs : graphOutputs(source.model);
  const values = importGraphModel(builder, source, { input, image, outputs });
  head.write(
    builder,
    outputs.map((output) => values.get(output)).filter((value) => value !== undefined),
  );
  return builder;
}

export function readTfjsSource(model: Uint8Array, shards: readonly Uint8Array[]): TfjsSource {
  return { model: readGraphModel(model), shards };
}

/** The image as floats of 0..255; transposed while its elements are still one byte each. */
function imageInput(builder: GraphBuilder, dims: readonly number[]): Value {
  const shape = builder.freeSize ? [1, 'height', 'width', 3] : dims;
  const image = asChannelsFirst(builder, builder.input('image', 'uint8', shape, dims));
  return builder.node(
    'Cast',
    [image],
    { to: elementTypeCodes.float32 },
    {
      type: 'float32',
      dims,
      storage: 'channels-first',
    },
  );
}
