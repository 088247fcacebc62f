import { formOf } from './form.js';
import { detection } from './good-kinds.js';
import type { Kind, Scene } from './kind.js';
import { busy } from './outcome.js';
import { exchangeRaw } from './raw.js';

/** Clients that leave half-way, or do not speak HTTP. */
export const brokenKinds: readonly Kind[] = [
  {
    name: 'gives up while it waits',
    weight: 4,
    answers: ['aborted', '200', busy],
    counts: 'fickle',
    send: async (visitor, { fickleKey, images }) => {
      const abortSignal = AbortSignal.timeout(20 + Math.floor(Math.random() * 300));
      return (await visitor.ask(detection(fickleKey, { image: images.jpeg }), abortSignal)).outcome;
    },
  },
  raw('upload, connection reset', 3, 'resets', ['left', '401 invalid_api_key'], ({ fickleKey, images }) =>
    cutUpload(fickleKey, images.jpeg),
  ),
  raw('upload that ends early', 3, 'ends', ['400 bad_request', 'closed'], ({ fickleKey, images }) =>
    cutUpload(fickleKey, images.jpeg),
  ),
  raw(
    'JSON body that ends early',
    2,
    'ends',
    ['400 bad_request', 'closed'],
    ({ fickleKey }) =>
      `PUT /predict?api_key=${fickleKey} HTTP/1.1\r\nHost: a\r\nContent-Length: 5000\r\n\r\n{"base64str": "AAAA`,
  ),
  raw(
    'space in the request line',
    1,
    'stays',
    ['400 bad_request'],
    () => 'GET /predict/image?url=a b HTTP/1.1\r\nHost: a\r\n\r\n',
  ),
  raw(
    'no HTTP at all',
    1,
    'stays',
    ['400 bad_request'],
    () => '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03',
  ),
  raw(
    'headers too large',
    1,
    'stays',
    ['431 bad_request'],
    () => `GET /livez HTTP/1.1\r\nHost: a\r\nX-Long: ${'x'.repeat(40_000)}\r\n\r\n`,
  ),
];

/** The first half of an upload. */
function cutUpload(key: string, image: Buffer): Buffer {
  const { headers, body } = formOf(image);
  const head =
    `POST /predict/image?apikey=${key} HTTP/1.1\r\nHost: a\r\nContent-Type: ${headers['content-type']}\r\n` +
    `Content-Length: ${body.length}\r\n\r\n`;
  return Buffer.concat([Buffer.from(head), body.subarray(0, body.length / 2)]);
}

function raw(
  name: string,
  weight: number,
  leave: 'stays' | 'ends' | 'resets',
  answers: Kind['answers'],
  make: (scene: Scene) => string | Buffer,
): Kind {
  return { name, weight, answers, send: (_visitor, scene) => exchangeRaw(scene.url, make(scene), leave) };
}
