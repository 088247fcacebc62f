import { formOf } from './form.js';
import { detection } from './good-kinds.js';
import type { Kind, Scene } from './kind.js';
import { busy } from './outcome.js';
import type { Sent } from './visitor.js';

const unknownKey = 'lyn_unknown_key_of_the_load_0000000000000000';

/** Requests that are wrong, each with the error that it is due. None of them counts. */
export const badKinds: readonly Kind[] = [
  wrong('v1, unknown key', 3, ['401 invalid_api_key'], ({ images }) => ({
    method: 'POST',
    path: `/predict/image?apikey=${unknownKey}`,
    ...formOf(images.jpeg),
  })),
  wrong('v2, unknown key', 3, ['401 invalid_api_key'], ({ images }) =>
    detection(unknownKey, { image: images.jpeg }),
  ),
  wrong('v2, no key', 1, ['401 invalid_api_key'], () => ({ method: 'PUT', path: '/predict', body: '{}' })),
  wrong('v1, image that breaks off', 4, ['415 unsupported_image', busy], ({ key, images }) => ({
    method: 'POST',
    path: `/predict/image?apikey=${key}`,
    ...formOf(images.cut),
  })),
  wrong('v2, image that breaks off', 3, ['415 unsupported_image', busy], ({ key, images }) =>
    detection(key, { image: images.cut }),
  ),
  wrong('v1, no image but text', 2, ['415 unsupported_image', busy], ({ key }) => ({
    method: 'POST',
    path: `/predict/object_detection/?apikey=${key}`,
    ...formOf('not an image at all'),
  })),
  wrong('v1, no file', 2, ['400 no_file'], ({ key }) => ({
    method: 'POST',
    path: `/predict/image?apikey=${key}`,
  })),
  wrong('v1, empty JSON body', 1, ['400 no_file'], ({ key }) => ({
    method: 'POST',
    path: `/predict/image?apikey=${key}`,
    headers: { 'content-type': 'application/json' },
  })),
  wrong('v1, wrong parameter', 2, ['400 wrong_parameters'], ({ key, images }) => ({
    method: 'POST',
    path: `/predict/image?apikey=${key}&predicttype=both`,
    ...formOf(images.jpeg),
  })),
  wrong('v1, unknown model', 2, ['400 wrong_parameters'], ({ key, images }) => ({
    method: 'POST',
    path: `/predict/object_detection/?apikey=${key}&model_id=77`,
    ...formOf(images.jpeg),
  })),
  wrong('v2, not base64', 2, ['400 invalid_image_text'], ({ key }) => json(key, '{"base64str": "***"}')),
  wrong('v2, not JSON', 2, ['400 bad_request'], ({ key }) => json(key, '{"base64str": "AAAA"')),
  wrong('v2, boolean threshold', 2, ['400 wrong_parameters'], ({ key, images }) =>
    json(key, JSON.stringify({ base64str: images.png.toString('base64'), conf_thresh: true })),
  ),
  wrong('v1, private address', 2, ['403 address_not_allowed'], ({ key, url }) => ({
    method: 'GET',
    path: `/predict/image?apikey=${key}&url=${encodeURIComponent(`${url}/livez`)}`,
  })),
  wrong('v1, address without an image', 2, ['502 address_not_reachable', busy], ({ key, host }) => ({
    method: 'GET',
    path: `/predict/image?apikey=${key}&url=${encodeURIComponent(host.address('/missing'))}`,
  })),
  wrong('v2, address of a page', 2, ['415 unsupported_image', busy], ({ key, host }) =>
    json(key, JSON.stringify({ image_file_url: host.address('/page') })),
  ),
  wrong('v1, too large', 1, ['413 file_too_large', busy], ({ key, images }) => ({
    method: 'POST',
    path: `/predict/image?apikey=${key}`,
    ...images.tooLarge,
  })),
  wrong('v2, too large', 1, ['413 file_too_large'], ({ key, images }) => ({
    method: 'PUT',
    path: `/predict?api_key=${key}`,
    body: images.tooLargeJson,
  })),
  wrong('v1, trial without calls', 2, ['429 trial_limit'], ({ spentKey, images }) => ({
    method: 'POST',
    path: `/predict/image?apikey=${spentKey}`,
    ...formOf(images.jpeg),
  })),
  wrong('v2, trial without calls', 1, ['429 trial_limit'], ({ spentKey, images }) =>
    detection(spentKey, { image: images.jpeg }),
  ),
  wrong('unknown path', 2, ['404 not_found'], () => ({ method: 'GET', path: '/predict/nothing' })),
  wrong('wrong method', 2, ['405 method_not_allowed'], ({ key }) => ({
    method: 'DELETE',
    path: `/predict/image?apikey=${key}`,
  })),
  // An answer to HEAD has no body, and so no code.
  wrong('HEAD', 1, ['405 without a code'], ({ key }) => ({
    method: 'HEAD',
    path: `/predict/image?apikey=${key}`,
  })),
  wrong('pre-flight', 2, ['204'], () => ({
    method: 'OPTIONS',
    path: '/predict/image',
    headers: { origin: 'https://shop.example', 'access-control-request-method': 'POST' },
  })),
];

function json(key: string, body: string): Sent {
  return { method: 'PUT', path: `/predict?api_key=${key}`, body };
}

function wrong(name: string, weight: number, answers: Kind['answers'], make: (scene: Scene) => Sent): Kind {
  return { name, weight, answers, send: async (visitor, scene) => (await visitor.ask(make(scene))).outcome };
}
