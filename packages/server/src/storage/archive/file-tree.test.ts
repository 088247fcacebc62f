import { expect, test } from 'vitest';
import { isPassedOver } from './file-tree.js';

test.each([
  '@eaDir/1.jpg/SYNOPHOTO_THUMB_M.jpg',
  'cat/@eaDir/1.jpg/SYNOPHOTO_THUMB_M.jpg',
  '#recycle/cat/1.jpg',
  '#snapshot/cat/1.jpg',
  '@Recycle/cat/1.jpg',
  'cat/.@__thumb/default1.jpg',
  'cat/.thumbnails/1.jpg',
  '$RECYCLE.BIN/S-1-5-21/1.jpg',
  'System Volume Information/1.jpg',
  '__MACOSX/cat/._1.jpg',
  'cat/.AppleDouble/1.jpg',
  'cat/.DS_Store',
  'cat/desktop.ini',
])('what a system adds is passed over: %s', (path) => {
  expect(isPassedOver(path)).toBe(true);
});

test.each(['cat/1.jpg', '@home/1.jpg', '#1/1.jpg', 'recycle/1.jpg', 'eaDir/1.jpg', '../1.jpg'])(
  'what a person names is taken: %s',
  (path) => {
    expect(isPassedOver(path)).toBe(false);
  },
);
