import type { InputGeometry } from '../catalog/manifest.js';
import { EngineError } from '../errors.js';
import type { Box } from '../image/box.js';
import type { Image } from '../image/image.js';
import type { Tensor } from './task.js';

/** Reads the region of an image that a model takes, at its input size: uint8 [1,h,w,3]. */
export async function inputTensor(image: Image, geometry: InputGeometry, region?: Box): Promise<Tensor> {
  const frame = region ?? { xMin: 0, yMin: 0, xMax: image.width, yMax: image.height };
  if (geometry.fit === 'letterbox') return letterbox(image, geometry, frame, region);
  const { width, height, box } = placeInput(frame, geometry);
  const isWhole = region === undefined && box === frame;
  const data = await image.raster({ ...(isWhole ? {} : { region: box }), width, height });
  return { data, dims: [1, height, width, 3] };
}

/** The size of the input and the region of the image that fills it; of a letterbox it reaches beyond the image. */
export function placeInput(frame: Box, geometry: InputGeometry): { width: number; height: number; box: Box } {
  const frameWidth = frame.xMax - frame.xMin;
  const frameHeight = frame.yMax - frame.yMin;
  switch (geometry.fit) {
    case 'squash':
      return { width: geometry.width, height: geometry.height, box: frame };
    case 'letterbox': {
      const { left, top, width, height } = innerFrame(frameWidth, frameHeight, geometry);
      const [x, y] = [frameWidth / width, frameHeight / height];
      return {
        width: geometry.width,
        height: geometry.height,
        box: {
          xMin: frame.xMin - left * x,
          yMin: frame.yMin - top * y,
          xMax: frame.xMin + (geometry.width - left) * x,
          yMax: frame.yMin + (geometry.height - top) * y,
        },
      };
    }
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

type Letterbox = Extract<InputGeometry, { fit: 'letterbox' }>;

/** The image's box within the input, in whole pixels of it. */
function innerFrame(frameWidth: number, frameHeight: number, { width, height, place }: Letterbox) {
  const scale = Math.min(width / frameWidth, height / frameHeight);
  const inner = {
    width: Math.min(width, Math.max(1, Math.round(frameWidth * scale))),
    height: Math.min(height, Math.max(1, Math.round(frameHeight * scale))),
  };
  const shift = place === 'corner' ? 0 : 1 / 2;
  const left = Math.floor((width - inner.width) * shift);
  const top = Math.floor((height - inner.height) * shift);
  return { ...inner, left, top };
}

async function letterbox(
  image: Image,
  geometry: Letterbox,
  frame: Box,
  region: Box | undefined,
): Promise<Tensor> {
  const { width, height, fill } = geometry;
  const inner = innerFrame(frame.xMax - frame.xMin, frame.yMax - frame.yMin, geometry);
  const size = { width: inner.width, height: inner.height };
  const pixels = await image.raster({ ...(region && { region }), ...size });
  const data = new Uint8Array(width * height * 3).fill(fill);
  const row = inner.width * 3;
  for (let y = 0; y < inner.height; y++) {
    data.set(pixels.subarray(y * row, (y + 1) * row), ((inner.top + y) * width + inner.left) * 3);
  }
  return { data, dims: [1, height, width, 3] };
}
