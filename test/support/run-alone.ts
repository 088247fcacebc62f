import { Tensor } from 'onnxruntime-node';
import sharp from 'sharp';
import { createSession } from '#engine/runtime/int8/create-session.js';
import { shapeHeight, shapeWidth } from './drawn-shapes.js';

/** As a program does it that has only the file and what its metadata say of preprocessing. */
export async function runAlone(model: string | Uint8Array, image: Buffer): Promise<number[]> {
  // Of drawings of shapes alone: their size is known.
  const side = Math.round(0.875 * shapeHeight);
  const region = {
    left: Math.round((shapeWidth - side) / 2),
    top: Math.round((shapeHeight - side) / 2),
    width: side,
    height: side,
  };
  const resized = sharp(image).extract(region).resize(299, 299, { fit: 'fill', kernel: 'lanczos3' });
  const data = new Uint8Array(await resized.raw().toBuffer());
  // Where a CPU saturates 8-bit products, ONNX Runtime by itself answers a little else: what is compared is the file.
  const session = await createSession(model, {});
  const { probabilities } = await session.run({ image: new Tensor('uint8', data, [1, 299, 299, 3]) });
  await session.release();
  return Array.from(probabilities?.data ?? [], Number);
}
