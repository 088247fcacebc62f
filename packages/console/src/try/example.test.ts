import { execFileSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { defaultCall } from '../models/predict-call.js';
import { writeExample } from './example.js';

const given = { baseUrl: 'http://127.0.0.1:8080', key: 'the-key', call: defaultCall, chosen: null };

test('a file is sent as the form field "image" to general recognition', () => {
  expect(writeExample('curl', given)).toBe(
    `curl -sS -F 'image=@"image.jpg"' 'http://127.0.0.1:8080/predict/image?apikey=the-key'`,
  );
});

test('a shell passes a hostile file name to curl as one argument', () => {
  const name = `it's "$(touch x)" \\ ;.jpg`;
  const line = writeExample('curl', { ...given, chosen: { file: new File([], name) } });
  const words = execFileSync('sh', ['-c', `curl() { printf '%s\\n' "$@"; }; ${line}`], { encoding: 'utf8' });
  expect(words.split('\n')[2]).toBe(`image=@"it's \\"$(touch x)\\" \\\\ ;.jpg"`);
});

test('an address is in the query, encoded', () => {
  const chosen = { url: 'https://pictures.example/a b.jpg?x=1&y=2' };
  const text = writeExample('python', { ...given, chosen });
  expect(text).toContain('url=https%3A%2F%2Fpictures.example%2Fa+b.jpg%3Fx%3D1%26y%3D2"');
  expect(text).not.toContain('files=');
});

test('a call of a detector has its model and threshold', () => {
  const call = { kind: 'detect', modelId: 'coco-fast', confThresh: 0.5 } as const;
  expect(writeExample('javascript', { ...given, call })).toContain(
    '/predict/object_detection/?apikey=the-key&model_id=coco-fast&conf_thresh=0.5',
  );
});

test('parameters with default values are left out', () => {
  const call = { ...defaultCall, kind: 'general', parts: ['faces'], predictType: 'basic' } as const;
  expect(writeExample('curl', { ...given, call })).toContain('&parts=faces&predicttype=basic');
});
