import { describe, test } from 'vitest';
import { limits } from '../hostile/guarded-service.js';
import { noise } from '../hostile/noise.js';
import type { Code, Hostilities } from '../hostile/use-guarded-service.js';
import { sample, upload } from '../support/sample.js';

export function testParameters(hostilities: () => Hostilities): void {
  describe('a parameter', () => {
    const image = { base64str: sample.toString('base64') };
    test.each<readonly [string, Code, object | string]>([
      ['an unknown model', 'invalid_model', { ...image, model_id: 'nobody' }],
      ['a model of an inherited name', 'invalid_model', { ...image, model_id: '__proto__' }],
      ['a model that is an object', 'wrong_parameters', { ...image, model_id: {} }],
      ['conf_thresh above 1', 'wrong_parameters', { ...image, conf_thresh: 1.01 }],
      ['conf_thresh below 0', 'wrong_parameters', { ...image, conf_thresh: -0.01 }],
      ['nms_thresh that is text', 'wrong_parameters', { ...image, nms_thresh: 'high' }],
      ['nms_thresh that is a list', 'wrong_parameters', { ...image, nms_thresh: [0.4] }],
      [
        'conf_thresh without end',
        'wrong_parameters',
        `{"base64str": "${image.base64str}", "conf_thresh": 1e999}`,
      ],
      ['conf_thresh NaN', 'bad_request', `{"base64str": "${image.base64str}", "conf_thresh": NaN}`],
      ['base64 that is none', 'invalid_image_text', { base64str: '!!! not base64 !!!' }],
      [
        'base64 with a hole in it',
        'invalid_image_text',
        { base64str: `${image.base64str.slice(0, 5001)}?AAA` },
      ],
      ['base64str that is a number', 'invalid_image_text', { base64str: 17 }],
      ['base64str that is null', 'no_file', { base64str: null }],
      ['nothing', 'no_file', {}],
      ['no body', 'no_file', ''],
      ['a list', 'bad_request', '[]'],
      ['half an object', 'bad_request', '{"base64str": "'],
      ['brackets 5,000 deep', 'bad_request', '['.repeat(5000)],
      ['brackets 5 million deep', 'bad_request', `{"a": ${'['.repeat(5_000_000)}`],
      ['objects a million deep', 'bad_request', `${'{"a":'.repeat(1e6)}1${'}'.repeat(1e6)}`],
      ['a hundred thousand keys', 'bad_request', JSON.stringify(Object.fromEntries(keys(100_000)))],
      ['a body over the limit', 'file_too_large', `{"base64str": "${'A'.repeat(limits.jsonBytes)}"}`],
    ])('of v2: %s is %s', async (_name, code, body) => {
      const { v2, expectRefusal } = hostilities();
      await expectRefusal(await v2(body), code, 2);
    });

    test.each<readonly [Code, string, Readonly<Record<string, string>>]>([
      ['wrong_parameters', '/predict/image', { model_id: '77' }],
      ['wrong_parameters', '/predict/image', { model_id: '101' }],
      ['wrong_parameters', '/predict/image', { parts: '__proto__' }],
      ['wrong_parameters', '/predict/image', { predicttype: 'constructor' }],
      ['wrong_parameters', '/predict/object_detection/', { model_id: 'imagenet' }],
      ['wrong_parameters', '/predict/object_detection/', { conf_thresh: '2' }],
      ['wrong_parameters', '/predict/object_detection/', { conf_thresh: '-1' }],
      ['wrong_parameters', '/predict/object_detection/', { nms_thresh: 'NaN' }],
      ['wrong_parameters', '/predict/object_detection/', { nms_thresh: '1e999' }],
      ['wrong_parameters', '/predict/object_detection/', { nms_thresh: '0.4,0.5' }],
    ])('of v1: %s for %s with %o', async (code, path, query) => {
      const { v1, expectRefusal } = hostilities();
      await expectRefusal(await v1(path, query, upload(sample)), code, 1);
    });

    test('of v1: a form of 20,000 parts is refused before its end', async () => {
      const { v1, expectRefusal } = hostilities();
      const form = new FormData();
      for (let index = 0; index < 20_000; index += 1) form.append('image', new Blob(['x']), 'a');
      await expectRefusal(await v1('/predict/image', {}, form), 'bad_request', 1);
    });

    test('that contains a key by mistake is not quoted back', async () => {
      const { service, v1, expectRefusal } = hostilities();
      const answer = await v1('/predict/image', { model_id: service.key }, upload(sample));
      await expectRefusal(answer, 'wrong_parameters', 1);
    });

    test('of v1: a file over the limit is refused', async () => {
      const { v1, expectRefusal } = hostilities();
      const large = upload(noise(limits.imageBytes + 1));
      await expectRefusal(await v1('/predict/image', {}, large), 'file_too_large', 1);
    });
  });

  describe('a key', () => {
    test.each<readonly [string, string, Record<string, string>]>([
      ['none', '', {}],
      ['an empty one', '?apikey=&api_key=', {}],
      ['a wrong one', '?apikey=lyn_wrongwrongwrongwrong&api_key=lyn_wrong', {}],
      ['a wrong one as header', '', { authorization: 'Bearer lyn_wrong' }],
      ['one of 8,000 characters', `?apikey=${'k'.repeat(8000)}`, {}],
      ['one with a NUL in it', '?apikey=a%00b', {}],
      ['one that would be SQL', `?apikey=${encodeURIComponent("' or 1=1 --")}`, {}],
      ['one as a list', '?apikey[]=a&apikey[0]=b', {}],
    ])('%s is refused by both generations', async (_name, query, headers) => {
      const { service, expectRefusal } = hostilities();
      const body = upload(sample);
      const first = await fetch(`${service.url}/predict/image${query}`, { method: 'POST', body, headers });
      await expectRefusal(first, 'invalid_api_key', 1);
      const second = await fetch(`${service.url}/predict${query}`, { method: 'PUT', body: '{}', headers });
      await expectRefusal(second, 'invalid_api_key', 2);
    });
  });
}

function* keys(count: number): Generator<[string, number]> {
  for (let index = 0; index < count; index += 1) yield [`key${index}`, index];
}
