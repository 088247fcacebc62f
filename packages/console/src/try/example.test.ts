import { execFileSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { firstWish } from '../models/wish.js';
import { writeExample } from './example.js';

const given = { baseUrl: 'http://127.0.0.1:8080', key: 'the-key', wish: firstWish, chosen: null };

test('a file goes as the part "image" to general recognition', () => {
  expect(writeExample('curl', given)).toBe(
    `curl -sS -F 'image=@"image.jpg"' 'http://127.0.0.1:8080/predict/image?apikey=the-key'`,
  );
});

test('a shell hands a hostile file name to curl as one word', () => {
  const name = `it's "$(touch x)" \\ ;.jpg`;
  const line = writeExample('curl', { ...given, chosen: { file: new File([], name) } });
  const words = execFileSync('sh', ['-c', `curl() { printf '%s\\n' "$@"; }; ${line}`], { encoding: 'utf8' });
  expect(words.split('\n')[2]).toBe(`image=@"it's \\"$(touch x)\\" \\\\ ;.jpg"`);
});

test('an address goes in the query, encoded', () => {
  const chosen = { url: 'https://pictures.example/a b.jpg?x=1&y=2' };
  const text = writeExample('python', { ...given, chosen });
  expect(text).toContain('url=https%3A%2F%2Fpictures.example%2Fa+b.jpg%3Fx%3D1%26y%3D2"');
  expect(text).not.toContain('files=');
});

test('a detector is asked with its model and threshold', () => {
  const wish = { kind: 'detect', modelId: 'coco-fast', confThresh: 0.5 } as const;
  expect(writeExample('javascript', { ...given, wish })).toContain(
    '/predict/object_detection/?apikey=the-key&model_id=coco-fast&conf_thresh=0.5',
  );
});

test('only what differs from the usual is said', () => {
  const wish = { ...firstWish, kind: 'general', parts: ['faces'], predictType: 'basic' } as const;
  expect(writeExample('curl', { ...given, wish })).toContain('&parts=faces&predicttype=basic');
});
