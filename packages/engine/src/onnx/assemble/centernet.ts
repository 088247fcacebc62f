import { elementsOf, elementTypeCodes } from '../graph/element-type.js';
import { elementwise } from '../graph/elementwise.js';
import type { GraphBuilder } from '../graph/graph-builder.js';
import { asChannelsFirst } from '../graph/storage.js';
import type { Value } from '../graph/value.js';
import { imageDims, pool } from '../graph/window.js';
import { ImportError } from '../import-error.js';
import type { HeadSpec } from '../recipe.js';
import type { Head } from './head.js';
import { writeDetections } from './suppress.js';

/** Pixels of the image per cell of the heat map, in both directions. */
const stride = 4;

/**
 * CenterNet (Zhou et al. 2019): an object's centre is a cell of the heat map [1,h,w,classes] that no neighbour
 * exceeds; sizes [1,h,w,4] are the distances in pixels from `stride` x the cell's index to left, top, right, bottom.
 */
export const centernet: Head<HeadSpec<'centernet'>> = {
  freeSize: true,
  outputs: ({ heatMap, sizes }) => [heatMap, sizes],
  write(builder, [heatMap, sizes], { maxPerClass }) {
    if (heatMap === undefined || sizes === undefined) throw new ImportError('heat map or sizes are missing');
    const [, , , classes] = imageDims(heatMap);
    if (imageDims(sizes)[3] !== 4)
      throw new ImportError(`sizes of shape [${sizes.dims}] are not [1,height,width,4]`);
    const peaks = flatten(builder, keepPeaks(builder, heatMap), classes);
    const corners = flatten(builder, decodeCorners(builder, sizes), 4);
    writeDetections(builder, {
      corners: builder.node(
        'Transpose',
        [corners],
        { perm: [0, 2, 1] },
        { type: 'float32', dims: [1, -1, 4] },
      ),
      columns: [0, 1, 2, 3],
      scores: peaks,
      maxPerClass,
    });
  },
};

/** The heat map with 0 wherever a cell of the surrounding 3x3 is higher. */
function keepPeaks(builder: GraphBuilder, heatMap: Value): Value {
  const window = { kernel: [3, 3], strides: [1, 1], dilations: [1, 1], padding: { kind: 'same' } } as const;
  const highest = pool(builder, 'MaxPool', heatMap, window);
  const isPeak = elementwise(builder, 'Equal', [heatMap, highest], { type: 'bool' });
  const { dims, storage } = isPeak;
  // A product is faster here than `Where`.
  const mask = builder.node(
    'Cast',
    [isPeak],
    { to: elementTypeCodes.float32 },
    { type: 'float32', dims, storage },
  );
  return elementwise(builder, 'Mul', [heatMap, mask]);
}

/** Stored [1,channels,h,w] to [1,channels,h x w]. */
function flatten(builder: GraphBuilder, map: Value, channels: number): Value {
  const shape = builder.constant('int64', [3], elementsOf('int64', [1, channels, -1]), 'shape');
  return builder.node(
    'Reshape',
    [asChannelsFirst(builder, map), shape],
    {},
    {
      type: 'float32',
      dims: [1, channels, -1],
    },
  );
}

/** xMin, yMin, xMax, yMax of every cell, relative to the image, as [1,h,w,4]. */
function decodeCorners(builder: GraphBuilder, sizes: Value): Value {
  const stored = asChannelsFirst(builder, sizes);
  const shape = builder.node('Shape', [stored], {}, { type: 'int64', dims: [4] });
  const x = cellIndices(builder, shape, 3);
  const y = cellIndices(builder, shape, 2);
  const ofX = perCorner(builder, 1, 0, 1, 0);
  const ofY = perCorner(builder, 0, 1, 0, 1);
  const mix = (alongX: Value, alongY: Value) =>
    float(builder, 'Add', float(builder, 'Mul', alongX, ofX), float(builder, 'Mul', alongY, ofY));
  // Computed in cells, so that the size of the image need not be known: (index ± size / stride) / cells.
  const reach = float(
    builder,
    'Mul',
    stored,
    perCorner(builder, -1 / stride, -1 / stride, 1 / stride, 1 / stride),
  );
  const corners = float(builder, 'Add', mix(x.indices, y.indices), reach);
  const relative = float(builder, 'Div', corners, mix(x.count, y.count));
  return { ...relative, dims: sizes.dims, storage: 'channels-first' };
}

/** 0, 1, … along an axis of a stored map, and how many, as floats that broadcast against the map. */
function cellIndices(builder: GraphBuilder, shape: Value, axis: 2 | 3): { indices: Value; count: Value } {
  const index = builder.scalar('int64', axis, 'axis');
  const integer = builder.node('Gather', [shape, index], { axis: 0 }, { type: 'int64', dims: [] });
  const to = elementTypeCodes.float32;
  const count = builder.node('Cast', [integer], { to }, { type: 'float32', dims: [] });
  const steps = [builder.scalar('float32', 0), count, builder.scalar('float32', 1)];
  const range = builder.node('Range', steps, {}, { type: 'float32', dims: [-1] });
  const along = builder.integers([1, 1, ...(axis === 2 ? [-1, 1] : [1, -1])], 'along');
  return { count, indices: builder.node('Reshape', [range, along], {}, { type: 'float32', dims: [-1] }) };
}

/** A number for each of the four channels of a stored map of corners. */
function perCorner(builder: GraphBuilder, ...numbers: [number, number, number, number]): Value {
  return builder.constant('float32', [1, 4, 1, 1], Float32Array.from(numbers), 'per_corner');
}

function float(builder: GraphBuilder, op: 'Add' | 'Mul' | 'Div', a: Value, b: Value): Value {
  return builder.node(op, [a, b], {}, { type: 'float32', dims: [-1] });
}
