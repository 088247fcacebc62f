import type { InputGeometry } from '../catalog/manifest.js';
import { EngineError } from '../errors.js';
import type { Box } from '../image/box.js';
import type { Picture } from '../image/picture.js';
import type { Tensor } from './task.js';

/** Takes the part of a picture that a model looks at, at the size it wants: uint8 [1,h,w,3]. */
export async function inputTensor(picture: Picture, geometry: InputGeometry, region?: Box): Promise<Tensor> {
  const frame = region ?? { xMin: 0, yMin: 0, xMax: picture.width, yMax: picture.height };
  const { width, height, box } = placeInput(frame, geometry);
  const isWhole = region === undefined && box === frame;
  const data = await picture.raster({ ...(isWhole ? {} : { region: box }), width, height });
  return { data, dims: [1, height, width, 3] };
}

/** The size of the input and the part of the picture that fills it. */
export function placeInput(frame: Box, geometry: InputGeometry): { width: number; height: number; box: Box } {
  const frameWidth = frame.xMax - frame.xMin;
  const frameHeight = frame.yMax - frame.yMin;
  switch (geometry.fit) {
    case 'squash':
      return { width: geometry.width, height: geometry.height, box: frame };
    case 'inside': {
      const scale = geometry.longSide / Math.max(frameWidth, frameHeight);
      const side = (length: number) =>
        Math.max(1, Math.round((length * scale) / geometry.multiple)) * geometry.multiple;
      return { width: side(frameWidth), height: side(frameHeight), box: frame };
    }
    case 'centre': {
      const half = (geometry.fraction * Math.min(frameWidth, frameHeight)) / 2;
      const x = (frame.xMin + frame.xMax) / 2;
      const y = (frame.yMin + frame.yMax) / 2;
      return {
        width: geometry.side,
        height: geometry.side,
        box: { xMin: x - half, yMin: y - half, xMax: x + half, yMax: y + half },
      };
    }
    default:
      throw new EngineError('internal', `a task of its own cuts the input of a model with "${geometry.fit}"`);
  }
}
