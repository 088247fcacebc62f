import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { defaultDropSettings } from '../drops/drop-settings.js';
import { fingerprintOf } from '../tagging/tag-settings.js';
import { runCommandLine } from './main.js';
import { readTagSettings } from './tag-options.js';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'lynceus-cli-tag-'));
  await mkdir(join(folder, 'data', 'blobs'), { recursive: true });
});
afterAll(() => rm(folder, { recursive: true, force: true }));

test.each([
  [['missing'], 1, /There is no folder missing/],
  [['.', '--watch', '--undo'], 2, /'--watch' cannot be used with option '--undo'/],
  [['.', '--watch', '--dry-run'], 2, /'--watch' cannot be used with option '-n, --dry-run'/],
  [['.', '--parts', 'object'], 2, /parts must be a list of classes, objects, texts, faces/],
  [['.', '--languages', 'english'], 2, /--languages must be/],
  [['data/blobs'], 1, /data\/blobs is in the data folder of the service/],
  [['.', '--min-confidence', 'objects=2'], 2, /Give a number from 0 to 1 for each/],
  [['.', '--sources', 'objects,cats'], 2, /Give a list of names, objects, classes, texts, faces/],
  [['.', '--prefix', 'x'.repeat(21)], 2, /It must have at most 20 characters/],
])('tag %j is refused in words', async (words, exitCode, message) => {
  const noted: string[] = [];
  const code = await runCommandLine(['tag', ...words], {
    env: { LYNCEUS_DATA_DIR: join(folder, 'data') },
    cwd: folder,
    print: () => undefined,
    note: (text) => noted.push(text),
  });
  expect([code, noted.join('\n')]).toEqual([exitCode, expect.stringMatching(message)]);
});

test('options come after the defaults of drops; other settings have another fingerprint', async () => {
  const context = { env: {}, cwd: folder, print: () => undefined, note: () => undefined };
  const settings = { recognitionParts: 'classes,objects' };
  const usual = await readTagSettings({ account: 'default' }, settings, context);
  expect(usual).toEqual({ ...defaultDropSettings, parts: ['classes', 'objects'] });
  const options = { account: 'default', parts: 'texts', languages: 'DE', minConfidence: { texts: 0.9 } };
  const other = await readTagSettings(options, settings, context);
  const { minConfidence } = defaultDropSettings.keywords;
  expect(other).toMatchObject({
    parts: ['texts'],
    textLanguages: ['de'],
    keywords: { ...defaultDropSettings.keywords, minConfidence: { ...minConfidence, texts: 0.9 } },
  });
  expect(fingerprintOf(other, null)).not.toBe(fingerprintOf(usual, null));
  expect(fingerprintOf(usual, 'default/1001')).not.toBe(fingerprintOf(usual, null));
  expect(fingerprintOf({ ...usual, parts: ['objects', 'classes'] }, null)).toBe(fingerprintOf(usual, null));
});
