import type { GraphBuilder } from '../../onnx/graph/graph-builder.js';
import type { Value } from '../../onnx/graph/value.js';
import type { Model, Node, TensorProto } from '../../onnx/proto/model.js';
import type { LoadedBackbone } from '../extract-features.js';
import { extendBackbone, featureNodes, unitFeatures } from '../feature-graph.js';
import { joinModels } from '../join-models.js';
import { TrainingError } from '../training-error.js';

/** Names where the graphs meet. */
const crops = 'lynceus/crops';
export const cropFeatures = 'lynceus/crop_features';
const prefix = 'crops';

/** A crop is the box, larger by this factor: what is around an object tells what it is. Factors of 1.15 and 1.4 were equal. */
const growth = 1.15;

/** Width and height of a classifier's input. */
export function cropSide({ manifest }: LoadedBackbone): number {
  const { input, id } = manifest;
  if (input.fit !== 'centre') {
    throw new TrainingError(
      'model-missing',
      `model ${id} does not take the middle of an image; name another classifier`,
    );
  }
  return input.side;
}

/**
 * Cuts boxes out of the detector's own input, each resized to a square.
 * @param image uint8 [1,h,w,3] @param boxes f32 [n,4]: xMin, yMin, xMax, yMax, 0 to 1.
 */
export function writeCrops(builder: GraphBuilder, image: Value, boxes: Value, side: number): void {
  const [, height = 1, width = 1] = image.dims;
  const corners = { type: 'float32', dims: [-1, 4] } as const;
  const halves = [
    [(1 + growth) / 2, 0, (1 - growth) / 2, 0],
    [0, (1 + growth) / 2, 0, (1 - growth) / 2],
    [(1 - growth) / 2, 0, (1 + growth) / 2, 0],
    [0, (1 - growth) / 2, 0, (1 + growth) / 2],
  ];
  const grow = builder.constant('float32', [4, 4], Float32Array.from(halves.flat()), 'growth');
  const grown = builder.node('MatMul', [boxes, grow], {}, corners);
  const limits = [builder.scalar('float32', 0), builder.scalar('float32', 1)];
  const inside = builder.node('Clip', [grown, ...limits], {}, corners);
  const extent = builder.constant('float32', [4], Float32Array.of(width, height, width, height), 'extent');
  const regions = builder.node('Mul', [inside, extent], {}, corners);

  const floats = { type: 'float32', dims: [1, 3, height, width] } as const;
  const pixels = builder.node('Cast', [image], { to: 1 }, { ...floats, dims: image.dims });
  const planes = builder.node('Transpose', [pixels], { perm: [0, 3, 1, 2] }, floats);
  const list = { type: 'int64', dims: [-1] } as const;
  const shape = builder.node('Shape', [boxes], { start: 0, end: 1 }, { type: 'int64', dims: [1] });
  const indexes = builder.node('Expand', [builder.integers([0], 'first_image'), shape], {}, list);
  const cut = { type: 'float32', dims: [-1, 3, side, side] } as const;
  const regular = { mode: 'avg', output_height: side, output_width: side, sampling_ratio: 1 };
  const aligned = builder.node('RoiAlign', [planes, regions, indexes], regular, cut);
  const whole = builder.node('Round', [aligned], {}, cut);
  const bytes = builder.node('Cast', [whole], { to: 2 }, { ...cut, type: 'uint8' });
  const last = { type: 'uint8', dims: [-1, side, side, 3] } as const;
  builder.output(crops, builder.node('Transpose', [bytes], { perm: [0, 2, 3, 1] }, last));
}

/** A graph that ends with crops, and behind it a classifier's features of each: f32 [n,dims] as `lynceus/crop_features`. */
export function withFeatures(first: Model, classifier: LoadedBackbone): Model {
  const extended = extendBackbone(classifier, [featureNodes(classifier)], [{ name: unitFeatures }]);
  const many = forManyImages(extended);
  const rename = (name: string) => (name === 'image' ? crops : name === unitFeatures ? cropFeatures : name);
  const { graph } = many;
  const second: Model = {
    ...many,
    graph: {
      ...graph,
      input: (graph.input ?? []).map((input) => ({ ...input, name: crops })),
      output: (graph.output ?? []).map((output) => ({ ...output, name: cropFeatures })),
      node: (graph.node ?? []).map((node) => ({
        ...node,
        input: (node.input ?? []).map(rename),
        output: (node.output ?? []).map(rename),
      })),
    },
  };
  return joinModels(first, second, [crops], prefix);
}

/** A graph of one image for any number of them: where a shape says 1 for their number, it says "as many as there are". */
function forManyImages(model: Model): Model {
  const { graph } = model;
  const shapes = new Set(
    (graph.node ?? []).filter(({ opType }) => opType === 'Reshape').map(({ input = [] }: Node) => input[1]),
  );
  return {
    ...model,
    graph: {
      ...graph,
      initializer: (graph.initializer ?? []).map((tensor) =>
        shapes.has(tensor.name) ? ofAnyCount(tensor) : tensor,
      ),
    },
  };
}

/** A shape of int64 whose first entry, 1, becomes 0: the number of the input. */
function ofAnyCount(shape: TensorProto): TensorProto {
  const bytes = Buffer.from(shape.rawData ?? []);
  if (bytes.length < 8 || bytes.readBigInt64LE(0) !== 1n) return shape;
  bytes.writeBigInt64LE(0n, 0);
  return { ...shape, rawData: bytes };
}
