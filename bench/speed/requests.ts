import type { Request } from './load.js';

/** The v2 call of `interface.md`: JSON with the image in base64, the fast detector. */
export function fastDetection(key: string, jpeg: Buffer): Request {
  return {
    method: 'PUT',
    path: `/predict?api_key=${key}`,
    headers: { 'content-type': 'application/json' },
    body: Buffer.from(
      JSON.stringify({
        base64str: jpeg.toString('base64'),
        model_id: 'coco-fast',
        conf_thresh: 0.4,
        nms_thresh: 0.45,
      }),
    ),
  };
}

/** v1 general recognition by upload, of these parts. */
export function generalRecognition(
  key: string,
  jpeg: Buffer,
  predicttype: 'basic' | 'dense',
  parts: string,
): Request {
  const boundary = 'lynceus-bench-boundary';
  return {
    method: 'POST',
    path: `/predict/image?apikey=${key}&predicttype=${predicttype}&parts=${parts}`,
    headers: { 'content-type': `multipart/form-data; boundary=${boundary}` },
    body: Buffer.concat([
      Buffer.from(
        `--${boundary}\r\ncontent-disposition: form-data; name="image"; filename="photo.jpg"\r\n` +
          'content-type: image/jpeg\r\n\r\n',
      ),
      jpeg,
      Buffer.from(`\r\n--${boundary}--\r\n`),
    ]),
  };
}
