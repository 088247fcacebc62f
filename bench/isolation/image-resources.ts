import { sendBare } from './bare-request.js';
import { drawPlain } from './draw-noise.js';
import type { Resource } from './resources.js';
import type { Tenant } from './tenant.js';

const boundary = 'boundary-of-the-benchmark';
/** What follows the small image in its file: the bytes come, and the inference processes have next to nothing to do. */
const padding = Buffer.alloc(5 * 1024 * 1024);
/** No image, so that it is refused at once. */
const junk = padding;

/** Requests beside images of megabytes, which come through the serving thread. */
export const imageResources: readonly Resource[] = [
  {
    name: 'serving thread: requests that read, beside forms of 5 MiB',
    ...{ isTimedOnly: true, atOnce: 32, ownAtOnce: 4 },
    async prepare({ url, key }) {
      return {
        ordinary: (signal) => sendBare(`${url}/api/datasets`, { key, method: 'GET', signal }),
        // Refused, and sent again at once.
        endless: (signal) => recognise({ url, key }, junk, signal).catch(() => undefined),
      };
    },
  },
  {
    name: 'serving thread: a small image, beside forms of 5 MiB',
    ...{ isTimedOnly: true, atOnce: 32, ownAtOnce: 4 },
    async prepare({ url, key }) {
      const small = await drawPlain(64);
      const large = Buffer.concat([small, padding]);
      return {
        ordinary: (signal) => recognise({ url, key }, small, signal),
        endless: (signal) => recognise({ url, key }, large, signal),
      };
    },
  },
];

function recognise(
  { url, key }: Pick<Tenant, 'url' | 'key'>,
  image: Buffer,
  signal: AbortSignal,
): Promise<void> {
  const body = Buffer.concat([
    Buffer.from(
      `--${boundary}\r\ncontent-disposition: form-data; name="image"; filename="a.png"\r\ncontent-type: image/png\r\n\r\n`,
    ),
    image,
    Buffer.from(`\r\n--${boundary}--\r\n`),
  ]);
  const type = `multipart/form-data; boundary=${boundary}`;
  return sendBare(`${url}/predict/image?parts=classes`, { key, method: 'POST', body, type, signal });
}
